# Hashes of row keys: the same everywhere, and as good as random.

keys <- function() c(0:5000, -(1:300), 2^53 - 0:100, -2^53 + 0:100, 1e15 + 7 * (0:200), 2^(0:52))

for (engine in c("sqlite", "duckdb", "postgres", "spark", "standard")) {
  test_that(paste("the same in R and in SQL:", engine), {
    con <- engine_connection(engine)
    k <- unique(keys())
    put_table(engine, "keys", data.frame(k = k))
    link <- asked_link(con)
    key <- link$dialect$whole_type("k")
    for (tree in c(1, 2, 500)) {
      bag <- tectree:::bag_sql(key, tree, TRUE, 1, link$dialect)
      sub <- tectree:::bag_sql(key, tree, FALSE, 0.4, link$dialect)
      out <- tectree:::ask(link, paste0(
        "SELECT k, h, ", bag$weight, " AS bag, ", sub$weight, " AS part, f FROM (SELECT k, ",
          bag$hash, " AS h, ",
        tectree:::fold_sql(key, 10, link$dialect), " AS f FROM keys) t"
      ), "hashes")
      out <- as.data.frame(lapply(out, as.numeric))
      expect_setequal(out$k, k)
      expect_identical(out$h, tectree:::hash_key(out$k, tree))
      expect_equal(out$f, tectree:::hash_fold(out$k, 10))
      expect_equal(out$bag, tectree:::hash_bag(out$k, tree))
      expect_equal(out$part, tectree:::hash_bag(out$k, tree, FALSE, 0.4))
    }
  })
}

# The chance that so large a deviation from equal shares is chance.
chance <- function(x, shares) {
  suppressWarnings(stats::chisq.test(table(factor(x, seq_along(shares))), p = shares)$p.value)
}

test_that("folds are even for consecutive, spaced and large keys", {
  for (k in list(1:20000, 2 * (1:20000), 1000 * (1:20000), 2^20 * (1:20000), 1e12 + 1:20000)) {
    for (folds in c(2, 5, 10)) {
      fold <- tectree:::hash_fold(k, folds)
      expect_gt(chance(fold, rep(1 / folds, folds)), 1e-4)
      # Neighbours are not tied to each other.
      pair <- folds * (fold[-1L] - 1) + fold[-length(fold)]
      expect_gt(chance(pair, rep(1 / folds^2, folds^2)), 1e-4)
    }
  }
})

test_that("bags are Poisson draws, or parts, and independent between trees", {
  k <- 1:50000
  for (tree in c(1, 2, 77)) {
    bag <- tectree:::hash_bag(k, tree)
    expect_gt(chance(pmin(bag, 5) + 1, c(stats::dpois(0:4, 1),
      stats::ppois(4, 1, lower.tail = FALSE))), 1e-4)
    expect_lt(abs(mean(tectree:::hash_bag(k, tree, FALSE, 0.632)) - 0.632), 0.01)
    expect_lt(abs(stats::cor(bag, tectree:::hash_bag(k, tree + 1))), 0.015)
    expect_lt(abs(stats::cor(bag, tectree:::hash_fold(k, 2))), 0.015)
  }
})
