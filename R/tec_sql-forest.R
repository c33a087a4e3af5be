# Writes a forest as one query: a common table expression with one column per tree (and class, if
# shares decide), a second one with their sums, and the predictions from these.

# `asked`: "response" (numbers), "class", "prob", "votes", "tree", "node", or "link" for boosting.
forest_query <- function(form, sql, asked, table, keep) {
  sql$model <- "forest"
  keep <- keep %||% vapply(form$inputs, `[[`, "", "name")
  own <- "tectree_"
  while (any(startsWith(tolower(keep), own))) own <- paste0(own, "_")
  check_sql_inputs(form$inputs, sql)
  answers <- forest_answer_names(form, asked, sql)
  check_keep(keep, answers, sql)
  kept <- vapply(keep, sql_name, "", sql, USE.NAMES = FALSE)
  parts <- forest_tree_columns(form, sql, asked, own)
  check_sql_columns(length(kept) + length(parts$text), sql)
  steps <- list(c(kept, paste(parts$text, "AS", parts$name)))
  last <- parts$name
  if (!asked %in% c("tree", "node")) {
    sum_up <- if (is_linked(form)) linked_sums else forest_sums
    sums <- sum_up(form, sql, parts, own, asked)
    steps <- c(steps, lapply(sums$steps, function(x) c(kept, x)))
    last <- sums$last
  }
  answers <- vapply(answers, sql_name, "", sql, USE.NAMES = FALSE)
  names <- c("trees", if (is_linked(form)) c("sums", "most", "odds") else "means")
  sql_with(c(steps, list(c(kept, paste(last, "AS", answers)))), table, paste0(own, names), sql)
}

forest_answer_names <- function(form, asked, sql) {
  classes <- form$link$levels %||% form$classes
  if (asked == "link" && length(form$link$base) == 1L) {
    return("link")
  }
  same <- if (sql$fold) tolower(classes) else classes
  # PostgreSQL cuts names off after 63 bytes.
  named <- all(nzchar(classes) & nchar(classes, "bytes") < 64L) && !anyDuplicated(same)
  switch(asked,
    tree = , node = paste0(asked, "_", seq_along(form$trees)),
    prob = , votes = , link = if (named) classes else paste0(asked, "_", seq_along(classes)),
    "response"
  )
}

check_keep <- function(keep, answers, sql) {
  same <- if (sql$fold) tolower else identity
  twice <- keep[same(keep) %in% same(answers)]
  if (length(twice)) {
    tec_abort("argument", c(
      "{.arg keep} contains a column that the query makes.", x = "Column: {.field {twice}}.",
      i = "Leave it out of {.arg keep}."
    ))
  }
}

# list(text, name, of): the expressions of the trees, their names, and the class that each belongs
# to, or 1.
forest_tree_columns <- function(form, sql, asked, own) {
  classes <- form$classes
  linked <- is_linked(form) && asked != "node"
  by_share <- !linked && (asked == "prob" || asked == "class" && form$by != "votes")
  counts <- asked == "votes" || form$by == "votes" && (linked || asked == "class")
  check_sql_columns(length(form$trees) * if (by_share) length(classes) else 1L, sql)
  named <- sql_form(form, sql)
  text <- lapply(form$trees, function(tree) {
    tree[c("columns", "labels")] <- named[c("columns", "labels")]
    tree$branches <- sql_branches(tree, sql)
    if (by_share) {
      return(unlist(sql_shares(tree, sql)))
    }
    if (counts) tree$codes <- as.character(seq_along(classes))
    if (asked == "node") {
      sql_nodes(tree, sql)
    } else if (is.null(classes)) {
      sql_number(tree, tree$value, sql)
    } else {
      sql_class(tree, sql)
    }
  })
  of <- sequence(lengths(text))
  tree <- rep(seq_along(text), lengths(text))
  name <- paste0(own, tree, if (by_share) paste0("_", of))
  list(text = unlist(text), name = name, of = of, counts = counts)
}

# The means over the trees: list(steps, last), with the expressions of further queries, and those
# that the last query can use.
forest_sums <- function(form, sql, parts, own, asked) {
  n <- sql_real(length(form$trees), sql)
  mean_of <- function(terms) paste(sql_plus(terms), "/", n)
  sums <- if (parts$counts) {
    vapply(seq_along(form$classes), function(k) {
      # NULL if a tree has no prediction.
      mean_of(paste("CASE", parts$name, "WHEN", k, "THEN 1 ELSE 0 *", parts$name, "END"))
    }, "")
  } else {
    vapply(split(parts$name, parts$of), mean_of, "")
  }
  name <- paste0(own, "mean_", seq_along(sums))
  last <- if (asked == "class") forest_choice(form, name, sql) else name
  list(steps = list(paste(sums, "AS", name)), last = last)
}

# The label of the class that is chosen by the means.
forest_choice <- function(form, mean, sql) {
  labels <- sql_string(form$classes, sql)
  aim <- mean
  margin <- 1 - 1e-12
  if (form$by == "cost") {
    margin <- 1 + 1e-12
    aim <- vapply(seq_along(mean), function(k) {
      terms <- paste(exact_number(form$cost[, k]), "*", mean)[form$cost[, k] > 0]
      paste0("-(", if (length(terms)) paste(terms, collapse = " + ") else "0", ")")
    }, "")
  }
  none <- paste("WHEN", mean[1L], "IS NULL THEN NULL")
  sql_case(c(none, first_largest(aim, labels, margin)), labels[length(labels)])
}

# `steps`: what each query selects from the query before it. `name`: the names of all queries but
# the last.
sql_with <- function(steps, table, name, sql) {
  name <- name[seq_len(length(steps) - 1L)]
  # Otherwise a database may copy the expressions of a tree to wherever its column is used.
  once <- if (sql$name %in% c("sqlite", "postgres", "duckdb")) "AS MATERIALIZED" else "AS"
  from <- c(sql_table(table, sql), name)
  query <- vapply(seq_along(steps), function(i) {
    paste0("SELECT ", paste(steps[[i]], collapse = ",\n"), "\nFROM ", from[i])
  }, "")
  last <- length(query)
  with <- paste0(name, " ", once, " (\n", query[-last], "\n)", collapse = ",\n")
  paste0("WITH ", with, "\n", query[last])
}

sql_table <- function(table, sql) {
  if (inherits(table, c("sql", "SQL"))) {
    return(as.character(table))
  }
  if (isS4(table) && !is.null(sql$con)) {
    return(as.character(DBI::dbQuoteIdentifier(sql$con, table)))
  }
  if (!is.character(table) || length(table) != 1L || is.na(table) || !nzchar(table)) {
    tec_abort("argument", c(
      "The query of a forest needs {.arg table}, the name of the table with the rows.",
      x = if (is.null(table)) "It is missing." else "It is {describe(table)}."
    ))
  }
  sql_name(table, sql)
}

tec_sql_forest <- function(fit, sql, type, missing, file, table, keep) {
  if (!is.null(keep) && (!is.character(keep) || anyNA(keep))) {
    tec_abort("argument", c(
      "{.arg keep} must be the names of columns of the table.", x = "It is {describe(keep)}."
    ))
  }
  if (!is_linked(fit)) check_forest_type(type, fit$response)
  sql_table(table, sql)
  form <- export_forest(fit, missing)
  if (type == "node" && form$shared) abort_shared("{.code type = \"node\"}", "forest")
  if (type == "response" && !is.null(forest_classes(fit))) type <- "class"
  text <- forest_query(form, sql, type, table, keep)
  check_sql_length(text, c(sql, model = "forest"))
  # A class that dbGetQuery() accepts; it does not know classes of other packages.
  value <- if (is.null(sql$con)) {
    structure(text, class = c("tec_code", "sql", "character"))
  } else {
    DBI::SQL(text)
  }
  give_text(value, file, text)
}

# ---- boosted classifiers ----

# The queries after the columns of the trees: list(steps, last), as in forest_sums().
linked_sums <- function(form, sql, parts, own, asked) {
  link <- form$link
  added <- function(s) {
    if (is.null(link$vote)) {
      return(parts$name[link$output == s])
    }
    # NULL if a tree has no prediction.
    vote <- sql_real(link$vote, sql)
    paste("CASE", parts$name, "WHEN", s, "THEN", vote, "ELSE 0 *", parts$name, "END")
  }
  sums <- vapply(seq_along(link$base), function(s) {
    sql_plus(c(sql_real(link$base[s], sql), added(s)))
  }, "")
  name <- paste0(own, "sum_", seq_along(sums))
  steps <- list(paste(sums, "AS", name))
  if (asked == "link") {
    return(list(steps = steps, last = name))
  }
  if (asked == "class") {
    return(list(steps = steps, last = linked_choice(link, name, sql)))
  }
  if (length(name) == 1L) {
    return(list(steps = steps, last = sql_logistic(c(paste("-1 *", name), name), sql)))
  }
  linked_softmax(link, steps, name, own, sql)
}

linked_choice <- function(link, sums, sql) {
  labels <- sql_string(link$levels, sql)
  none <- paste("WHEN", paste(sums, "IS NULL", collapse = " OR "), "THEN NULL")
  if (length(sums) == 1L) {
    return(sql_case(c(none, paste("WHEN", sums, "> 0 THEN", labels[2L])), labels[1L]))
  }
  sql_case(c(none, first_largest(sums, labels)), labels[length(labels)])
}

# A query for the largest sum, a query for the odds relative to it, and their shares.
linked_softmax <- function(link, steps, sums, own, sql) {
  most <- paste0(own, "most")
  odds <- paste0(own, "odds_", seq_along(sums))
  n <- length(sums)
  gap <- paste0("(", sums, " - ", most, ")")
  if (link$scale != 1) gap <- paste(gap, "/", sql_real(link$scale, sql))
  # Outside this range, EXP() is an error in some databases.
  power <- paste0(
    "CASE WHEN ", gap, " < -700 THEN ", sql_real(0, sql), " ELSE EXP(", gap, ") END"
  )
  list(
    steps = c(steps, list(
      c(sums, paste(sql_case(first_largest(sums, sums), sums[n]), "AS", most)),
      paste(power, "AS", odds)
    )),
    last = paste0(odds, " / (", paste(odds, collapse = " + "), ")")
  )
}
