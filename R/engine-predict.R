# Predictions of rows elsewhere: new columns of the lazy table, nothing is collected.

predict_elsewhere <- function(fit, data, type) {
  if (inherits(data, "cluster")) {
    tec_abort("newdata", c(
      "{.arg newdata} is a cluster, whose workers have their rows in memory.",
      i = "Let each predict its part:
           {.code parallel::clusterCall(cl, function(fit) predict(fit, part), fit)}."
    ))
  }
  need_package("dbplyr", "predict")
  need_package("dplyr", "predict")
  if (!inherits(data, c("tbl_lazy", "tbl_sql"))) {
    tec_abort("newdata", c(
      "{.arg newdata} must be a lazy table, or rows in memory.",
      x = "It is {describe(data)}.",
      i = "For a table of a connection: {.code dplyr::tbl(con, \"new\")}."
    ))
  }
  lost <- setdiff(unlist(fit$columns$needs[needed_columns(fit)]), colnames(data))
  if (length(lost)) {
    tec_abort("newdata", c(
      "{.arg newdata} lacks {cli::qty(length(lost))}{?a column/columns} that the
       {model_word(fit)} uses.",
      x = "{cli::qty(length(lost))}Missing column{?s}: {.field {lost}}."
    ))
  }
  if (inherits(fit, "tec_forest")) lazy_forest(fit, data, type) else lazy_tree(fit, data, type)
}

# A fit as SQL, by tec_sql().
as_sql <- function(fit, ...) UseMethod("as_sql")

lazy_tree <- function(fit, data, type) {
  if (type == "path") {
    tec_abort("argument", c(
      "{.code type = \"path\"} is for rows in memory.", i = "Collect the rows first."
    ))
  }
  con <- dbplyr::remote_con(data)
  text <- as_sql(fit, con, type = if (type == "response") "response" else type)
  text <- if (is.list(text)) text else list(text)
  new <- lapply(text, function(x) dbplyr::sql(as.character(x)))
  names(new) <- prediction_names(fit, type, length(new))
  do.call(dplyr::mutate, c(list(data), new))
}

prediction_names <- function(fit, type, n) {
  switch(type,
    prob = paste0(".pred_", fit$response$levels),
    node = ".node",
    if (n == 1L) ".pred" else paste0(".pred_", seq_len(n))
  )
}

# A column for each tree, then their mean or vote.
lazy_forest <- function(fit, data, type) {
  con <- dbplyr::remote_con(data)
  rows <- DBI::SQL(paste0("(", dbplyr::sql_render(data), ") tectree_rows"))
  text <- as_sql(fit, con, type = type, table = rows, keep = colnames(data))
  out <- dplyr::tbl(con, dbplyr::sql(as.character(text)))
  answers <- setdiff(colnames(out), colnames(data))
  names <- if (type == "prob") {
    paste0(".pred_", fit$response$levels)
  } else if (identical(answers, "response")) {
    ".pred"
  } else {
    paste0(".", answers)
  }
  do.call(dplyr::rename, c(list(out), stats::setNames(lapply(answers, as.name), names)))
}
