# Codes new rows in the same way as the training rows. Only columns that the tree splits on are
# read. `arg`: the name of the rows in messages.

check_newdata <- function(newdata, arg = "newdata") {
  newdata <- as_columns(newdata)
  if (!is.data.frame(newdata)) {
    tec_abort("newdata", c(
      "{.arg {arg}} must be a data frame.",
      x = "It is {describe(newdata)}.",
      i = if (is.atomic(newdata) && length(newdata) > 1L) {
        "A row of a matrix stays one with {.code m[1, , drop = FALSE]}."
      }
    ))
  }
  newdata
}

# Codes the columns `used` and `optional`; the others are NULL. An optional column may be absent.
#' @srrstats {G2.4, G2.4d, G2.4e} Text, logical values and factors become factors with the levels of
#'   the training rows, and back by `as.character()`.
#' @srrstats {RE4.16, ML1.8} New levels and missing values follow the rule that the model was grown
#'   with; `unseen` chooses between a warning and an error.
#' @noRd
code_newdata <- function(fit, newdata, used, env, optional = integer(), arg = "newdata") {
  columns <- fit$columns
  values <- vector("list", length(columns$name))
  unseen <- list()
  n <- nrow(newdata)
  check_has_columns(fit, newdata, used, arg)
  there <- vapply(optional, function(j) all(columns$needs[[j]] %in% names(newdata)), NA)
  places <- places_of(fit, newdata)
  for (j in sort(c(used, optional[there]))) {
    x <- new_column(fit, newdata, j, env, arg, places[[j]])
    coded <- recode_column(x, columns, j, n, arg)
    values[[j]] <- coded$value
    if (length(coded$unseen)) {
      unseen[[columns$name[j]]] <- coded$unseen
    }
  }
  known <- columns$levels[match(names(unseen), columns$name)]
  report_unseen(unseen, fit$control$unseen, arg, known)
  values
}

# The rows that a model can predict from coded columns: splines need all their predictors, except
# those of `but`, which are set to other values.
rows_with_predictors <- function(fit, values, n, but = integer()) {
  known <- rep(TRUE, n)
  needed <- if (is_mars(fit)) setdiff(needed_columns(fit), but)
  for (j in needed) known <- known & !is.na(values[[j]])
  say_not_predicted(known)
}

# The positions of the rows that are predicted.
say_not_predicted <- function(known) {
  gone <- sum(!known)
  if (gone > 0L && !any(known)) {
    tec_abort("missing", c(
      "No row of {.arg data} can be predicted.",
      x = "Each row lacks the value of a predictor that the model needs."
    ))
  }
  if (gone > 0L) {
    tec_inform(
      "dropped", "{gone} row{?s} of {.arg data} with missing predictors {?is/are} not used."
    )
  }
  which(known)
}

# Codes all columns that prediction may use.
code_rows <- function(fit, newdata, env, arg = "newdata") {
  code_newdata(fit, newdata, needed_columns(fit), env, optional_columns(fit), arg)
}

# Coded columns as the core takes them.
core_columns <- function(fit, values, n) {
  list(
    values = values, kinds = unname(kind_codes[fit$columns$kind]),
    n_levels = lengths(fit$columns$levels), n = n
  )
}

# The columns that prediction requires, and those used only by surrogates.
needed_columns <- function(fit) {
  if (!is.null(fit$used) || !is.null(fit[["trees"]])) {
    return(fit$used %||% used_columns(fit$trees))
  }
  sort(unique(as.integer(fit$tree$variable[fit$tree$kind != 0L])))
}

optional_columns <- function(fit) {
  if (!uses_surrogates(fit)) {
    return(integer())
  }
  setdiff(sort(unique(as.integer(fit$tree$surrogate_variable))), needed_columns(fit))
}

# For a forest, `fit$tree` would partially match `trees`.
uses_surrogates <- function(fit) isTRUE(fit[["tree"]]$by_surrogate)

# One error names all missing columns. Only unused columns of the new data are suggested.
check_has_columns <- function(fit, newdata, used, arg = "newdata") {
  gone <- setdiff(unlist(fit$columns$needs[used]), names(newdata))
  if (length(gone)) {
    spare <- setdiff(names(newdata), unlist(fit$columns$needs))
    tec_abort("newdata", c(
      paste(
        "{.arg {arg}} lacks {cli::qty(length(gone))}{?a column/columns} that the",
        "{model_word(fit)} uses."
      ),
      x = "{cli::qty(length(gone))}Missing column{?s}: {.field {gone}}.",
      if (identical(names(newdata), default_names(length(newdata)))) {
        c(i = "A matrix needs the names of the columns: {.code colnames(m) <- }.")
      } else {
        suggestion(gone[1L], spare)
      }
    ))
  }
}

model_word <- function(fit) {
  words <- c(
    tec_tree = "tree", tec_forest = "forest", tec_boost = "boosted model",
    tec_rotation = "rotation forest", tec_mars = "spline model"
  )
  if (inherits(fit, "tec_fit")) words[[class(fit)[1L]]] else "model"
}

is_mars <- function(fit) inherits(fit, "tec_mars")

# Rows to predict, under another argument name than `newdata`.
check_rows_to_predict <- function(fit, data, arg = "data") {
  data <- check_newdata(data, arg)
  check_has_columns(fit, data, needed_columns(fit), arg)
  data
}

# The positions in `newdata` of the columns that each predictor needs, one vector per predictor. All
# are looked up at once, because one by one would be quadratic in the number of columns.
places_of <- function(fit, newdata) {
  needs <- fit$columns$needs
  all <- seq_along(needs)
  unname(split(match(unlist(needs), names(newdata)), factor(rep(all, lengths(needs)), all)))
}

new_column <- function(fit, newdata, j, env, arg = "newdata", at = places_of(fit, newdata)[[j]]) {
  expr <- fit$predictors[[j]]
  if (is.symbol(expr)) {
    return(.subset2(newdata, at))
  }
  plain_numbers()
  tryCatch(
    drop_matrix(eval(expr, .subset(newdata, at), env), expr),
    error = but_limits(function(e) {
      tec_abort("newdata", c(
        "{.code {expr_text(expr)}} cannot be evaluated on {.arg {arg}}.",
        x = "{conditionMessage(e)}"
      ))
    })
  )
}

# list(value =, unseen = the unseen levels).
recode_column <- function(x, columns, j, n, arg = "newdata") {
  x <- drop_labels(x)
  if (!is_column(x)) {
    abort_type(x, columns, j, arg)
  }
  x <- utf8_values(
    x, cli::format_inline("Column {.field {columns$name[j]}} of {.arg {arg}}"), "newdata"
  )
  if (inherits(x, "POSIXlt")) {
    x <- as.POSIXct(x)
  } else if (is_integer64(x)) {
    x <- decode_integer64(x)
  }
  if (length(x) != n) {
    tec_abort("newdata", c(
      "Column {.field {columns$name[j]}} of {.arg {arg}} must have one value per row.",
      x = value_count(length(x), n)
    ))
  }
  if (columns$kind[j] == "numeric") {
    return(list(value = recode_numeric(x, columns, j, arg)))
  }
  recode_levels(x, columns, j, arg)
}

recode_numeric <- function(x, columns, j, arg) {
  ptype <- columns$ptype[[j]]
  type <- quantity(ptype)
  if (is.numeric(x) || inherits(x, c("Date", "POSIXct", "difftime"))) {
    if (quantity(x) != type) abort_type(x, columns, j, arg)
    if (type == "difftime") units(x) <- units(ptype)
    return(x)
  }
  # A column that contains only NA is logical in R.
  if (!is.factor(x) && all(is.na(x))) {
    return(rep(NA_real_, length(x)))
  }
  abort_type(x, columns, j, arg)
}

quantity <- function(x) {
  for (class in c("Date", "POSIXct", "difftime")) {
    if (inherits(x, class)) return(class)
  }
  "number"
}

recode_levels <- function(x, columns, j, arg) {
  levels <- columns$levels[[j]]
  if (is.factor(x)) {
    check_factor(
      x, "newdata", cli::format_inline("Column {.field {columns$name[j]}} of {.arg {arg}}")
    )
    return(recode_factor(x, levels))
  }
  if (is.character(x) || is.logical(x)) {
    label <- as.character(x)
    value <- match(label, levels)
    lost <- is.na(value) & !is.na(label) & !label %in% columns$unused[[columns$name[j]]]
    return(list(value = value, unseen = if (any(lost)) unique(label[lost])))
  }
  if (all(is.na(x))) {
    return(list(value = rep(NA_integer_, length(x))))
  }
  abort_type(x, columns, j, arg)
}

recode_factor <- function(x, levels) {
  codes <- plain_codes(x)
  if (identical(levels(x), levels)) {
    return(list(value = codes))
  }
  map <- match(levels(x), levels)
  value <- map[codes]
  lost <- which(is.na(map) & !is.na(levels(x)))
  unseen <- levels(x)[lost[lost %in% codes]]
  list(value = value, unseen = unseen)
}

abort_type <- function(x, columns, j, arg) {
  wanted <- switch(columns$kind[j],
    numeric = switch(quantity(columns$ptype[[j]]),
      number = "numbers", Date = "dates (Date)", POSIXct = "times (POSIXct)",
      difftime = "time differences (difftime)"
    ),
    "classes (factor, character or logical)"
  )
  tec_abort("newdata", c(
    "Column {.field {columns$name[j]}} of {.arg {arg}} has the wrong type.",
    x = "It is {describe(x)}; the model was fitted to {wanted}."
  ))
}

# `known`: the levels of the training rows, one element per element of `unseen`.
report_unseen <- function(unseen, what = "missing", arg = "newdata", known = NULL) {
  if (length(unseen) == 0L) {
    return(invisible())
  }
  bullets <- unseen_bullets(unseen)
  if (identical(what, "error")) {
    tec_abort("unseen", c(
      "{.arg {arg}} has levels that the training rows did not have.",
      bullets,
      spelling_hint(unseen, known),
      i = "The tree was grown with {.code unseen = \"error\"}; \\
           with {.val missing} they count as missing."
    ))
  }
  tec_warn("unseen", c(
    "{.arg {arg}} has levels that the training rows did not have; they count as missing.",
    bullets,
    spelling_hint(unseen, known)
  ))
}

# Levels that differ only in case or in surrounding spaces are probably the same.
spelling_hint <- function(unseen, known) {
  plain <- function(x) tolower(trimws(x))
  for (i in seq_along(known)) {
    at <- match(plain(unseen[[i]]), plain(known[[i]]))
    first <- which(!is.na(at))[1L]
    if (!is.na(first)) {
      hint <- cli::format_inline(
        "Case and spaces count: {.val {unseen[[i]][first]}} is not {.val {known[[i]][at[first]]}}."
      )
      return(c(i = escape_braces(hint)))
    }
  }
}

unseen_bullets <- function(unseen) {
  shown <- vapply(utils::head(names(unseen), 5L), function(name) {
    levels <- unseen[[name]]
    paste0(
      cli::format_inline("{.field {name}}: {.val {shorten(levels)}}"),
      if (length(levels) > 5L) paste0(" (", count_text(length(levels), "level"), ")")
    )
  }, "")
  bullets <- escape_braces(unname(shown))
  names(bullets) <- rep("*", length(bullets))
  more <- length(unseen) - length(shown)
  c(bullets, if (more > 0L) c("*" = paste("and", count_text(more, "more column"))))
}

# The first five of more labels, as cli shows them.
shorten <- function(labels) {
  cli::cli_vec(labels, list("vec-trunc" = 5L, "vec-trunc-style" = "head"))
}

check_type <- function(type, response) {
  if (is.null(response$levels) && type %in% c("class", "prob")) {
    tec_abort("argument", c(
      "{.code type = \"{type}\"} needs classes.",
      x = "The response {.field {response$name}} is numeric.",
      i = "Use {.code type = \"response\"}."
    ))
  }
}

prediction_types <- c(
  "response", "class", "prob", "link", "votes", "quantiles", "se", "terms", "node", "path", "tree"
)

# `types`: those of the model.
prediction_type <- function(type, types) {
  type <- our_word("type", type, types)
  if (length(type) == 1L && type %in% setdiff(prediction_types, types)) {
    tec_abort("argument", c(
      "{.arg type} must be one of {.or {.val {types}}}.",
      x = "{.val {type}} is a type of other models.",
      i = "{.run tectree::tec_verbs()} names an alternative."
    ))
  }
  match_choice(type, types, "type")
}

used_columns <- function(trees) sort(setdiff(unique(abs(trees$variable)), 0L))
