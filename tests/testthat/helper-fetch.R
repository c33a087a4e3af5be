# A table with every kind of column, and calls that read it.

fetch_data <- function(n = 300) {
  set.seed(51)
  some <- function(x) sample(x, n, TRUE)
  d <- data.frame(
    num = round(rnorm(n), 2), whole = some(c(1:9, NA)),
    txt = some(c("b", "A", "a\u00e9", "Z z", NA)),
    day = as.Date("2024-01-01") + some(0:60), yes = some(c(TRUE, FALSE, NA)), w = some(1:4) / 2
  )
  d$num[some(1:n) < 40] <- NA
  signal <- (d$num > 0.2) + (d$txt %in% c("A", "a\u00e9")) + (d$day > as.Date("2024-02-01"))
  d$y <- ifelse(runif(n) < 0.2, some(c("u", "v", "w")), c("u", "v", "w", "w")[1 + replace(
    signal, is.na(signal), 0
  )])
  d$y[c(3, 50)] <- NA
  d$z <- replace(signal, is.na(signal), 0) + round(rnorm(n), 1)
  d
}

read_all <- function(...) tec_engine(..., progress = FALSE)
at_rest <- function(expr) suppressMessages(suppressWarnings(expr))

fetch_calls <- list(
  defaults = list(y ~ . - w - z),
  numbers = list(z ~ num + whole + txt + day + yes, missing = "learned"),
  classes_of_numbers = list(factor(whole) ~ num + txt + day),
  weights = list(y ~ num + txt + whole, weights = quote(w)),
  subset = list(y ~ num + txt + day, subset = quote(whole > 2 & yes)),
  terms = list(y ~ log(whole) + I(num^2) + txt),
  surrogates = list(y ~ . - w - z, preset = "cart"),
  chaid = list(y ~ txt + whole + num, preset = "chaid"),
  q = list(y ~ num + txt + whole, q = c(0.5, 1, 2)),
  omitted = list(y ~ num + txt, na.action = quote(na.omit)),
  honest = list(z ~ num + whole, honest = TRUE, seed = 3)
)

# An engine with more memory than the codes of a table need, and less than its numbers do.
for_codes <- function(n, columns) read_all(memory = memory_for_codes(n, columns))
memory_for_codes <- function(n, columns) {
  mean(c(tectree:::rows_need(n, rep(2, columns)), tectree:::rows_need(n, rep(8, columns))))
}
