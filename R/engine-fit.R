# Tested in test-engine-fetch.R.

# A fit of rows that were read, or of counts. `exprs`: arguments of the call that are expressions of
# columns. `read(data, exprs)`: the fit of a data frame. `count(counter, terms, engine)`: that of a
# counter; `check(response)` before anything is counted, by the name and the task of the response.
fit_elsewhere <- function(formula, data, table, engine, exprs, control, read, check, count) {
  engine <- check_engine(engine)
  source <- table_source(data, table)
  on.exit(source$close())
  exprs <- lapply(exprs, function(expr) if (is_string(expr)) as.name(expr) else expr)
  columns <- columns_of_call(formula, source$names, engine, exprs)
  way <- choose_way(source, columns, engine)
  if (way$read) {
    say_way(way, columns, engine)
    rows <- if (isTRUE(way$packed)) read_packed(source, columns, way, engine) else
      read_elsewhere(source, columns, engine)
    if (!is.null(rows)) {
      return(read_fit(read(rows$data, exprs), rows$passes))
    }
    way <- list(read = FALSE, packed = FALSE, n = way$n, needs = way$needs, may = way$may)
  }
  check_counted_weights(exprs$weights, control)
  terms <- table_terms(formula, source$names, column_name(exprs$weights, "weights"), engine)
  check(response_elsewhere(source, terms))
  check_checkpoint(engine$checkpoint)
  say_way(way, columns, engine)
  say_stage(engine, "values of {count_text(length(columns), 'column')}")
  counter <- counter_of(source, terms, engine, environment())
  count(counter, terms, counting_engine(engine))
}
