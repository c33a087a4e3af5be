# Trees with every kind of split, and the rows they are for.
every_split <- function() {
  set.seed(5)
  n <- 300
  d <- data.frame(
    x = round(rnorm(n), 1), k = sample(1:9, n, TRUE),
    colour = factor(sample(c("red", "green", "blue", "grey"), n, TRUE)),
    size = factor(sample(c("s", "m", "l", "xl"), n, TRUE), c("s", "m", "l", "xl"), ordered = TRUE),
    flag = sample(c(TRUE, FALSE), n, TRUE),
    day = as.Date("2024-01-01") + sample(100, n, TRUE)
  )
  d$z <- with(d, x + 0.3 * k * flag + (colour == "red") - as.integer(size) * 0.5 +
    as.numeric(day - as.Date("2024-02-20")) / 40 + rnorm(n, sd = 0.2))
  d$y <- cut(d$z, c(-Inf, -1, 0.5, Inf), c("low", "middle", "high"))
  list(
    data = d,
    fits = list(
      binary = full_tree(y ~ . - z, d), numeric = full_tree(z ~ . - y, d),
      shallow = full_tree(y ~ . - z, d, max_depth = 1),
      leaf = full_tree(y ~ . - z, d, max_depth = 0),
      median = full_tree(z ~ . - y, d, criterion = "l1"),
      weighted = full_tree(y ~ . - z, d, weights = rep(1:3, 100)),
      ranked = full_tree(y ~ colour + size, d, nominal = "ordered", min_bucket = 1),
      small = full_tree(y ~ . - z, d, min_bucket = 1),
      multiway = full_tree(y ~ . - z, d, nominal = "multiway", min_bucket = 2),
      intervals = full_tree(y ~ . - z, d, intervals = 4),
      multiway_numeric = full_tree(z ~ . - y, d, nominal = "multiway", intervals = 3)
    )
  )
}

binary_fits <- function(fits) {
  fits[vapply(fits, function(fit) all(fit$tree$n_children <= 2), NA)]
}
