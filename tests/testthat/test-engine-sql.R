# A counter against a naive count of the same rows, in each database that is here.

predictors_of <- function(d) setdiff(names(d), c("y", "w", "id", "shard"))

# A counter on a random table, and what the naive count needs.
random_counter <- function(engine, numbers = FALSE, weighted = FALSE, key = FALSE, n = 150,
                           odd = TRUE, ...) {
  d <- as_stored(engine, random_table(n, numbers, odd))
  put_table(engine, "random_table", d)
  predictors <- predictors_of(d)
  counter <- tectree:::sql_counter(
    engine_connection(engine), "SELECT * FROM random_table", "y", predictors,
    weights = if (weighted) "w", key = if (key) "id", settings = list(max_values = 40, ...)
  )
  meta <- counter$meta()
  codes <- lapply(seq_along(predictors), function(j) {
    values <- meta$columns[[j]]$values
    if (is.null(values)) list(cuts = counter$cuts(j, 6)) else list(values = values)
  })
  counter$encode(codes)
  d <- d[!is.na(d$y) & (!weighted | d$w > 0), ]
  list(
    counter = counter, meta = meta, codes = codes, d = d, predictors = predictors,
    weight = if (weighted) d$w else rep(1, nrow(d))
  )
}

ways <- function(engine) {
  if (engine == "shards") {
    return(list(list()))
  }
  out <- list(list(encode = "inline"), list(encode = "table", advance_every = 1))
  if (engine == "sqlite") {
    out <- c(lapply(out, c, list(strategy = "group")), lapply(out, c, list(strategy = "stream")))
  }
  out
}

expect_same_cells <- function(case, tree, what = list(), label = NULL) {
  found <- case$counter$counts(tree, what)
  weight <- case$weight
  if (!is.null(what$bag)) {
    weight <- weight * tectree:::hash_bag(case$d$id, what$bag$tree, what$bag$replace, what$bag$fraction)
  }
  fold <- if (!is.null(what$by_fold)) tectree:::hash_fold(case$d$id, what$by_fold)
  response <- case$meta$response
  numbers <- if (response$kind == "number") {
    round(case$d$y * response$scale) - round((what$centre %||% 0) * response$scale)
  }
  wanted <- naive_cells(
    case$d, case$codes, tree, case$predictors, what$columns %||% seq_along(case$predictors), weight,
    fold, numbers, response$levels
  )
  if (is.null(wanted)) {
    expect_length(found$n, 0L)
  } else {
    expect_equal(sort_cells(found), wanted, tolerance = 0, label = label)
  }
}

for (engine in c("sqlite", "duckdb", "postgres", "shards")) {
  test_that(paste("counts are those of a naive count:", engine), {
    set.seed(7)
    for (way in ways(engine)) {
      for (i in seq_len(random_cases(6))) {
        numbers <- i %% 2 == 0
        case <- do.call(random_counter, c(list(engine, numbers, i %% 3 == 0, TRUE), way))
        trees <- c(list(1), lapply(c(1, 2, 3, 4), function(depth) random_frontier(case$codes, depth)))
        label <- paste(engine, paste(way, collapse = " "), i)
        for (tree in trees) {
          expect_same_cells(case, tree, list(centre = if (numbers) 1), label = label)
        }
        expect_same_cells(case, 1, list(by_fold = 3L, columns = c(2L, 4L)), label = label)
        bag <- list(tree = i, replace = i %% 2 == 0, fraction = 0.7)
        expect_same_cells(case, trees[[3L]], list(bag = bag, by_fold = 2L), label = label)
        case$counter$close()
      }
    }
  })

  test_that(paste("rows and values inside an interval:", engine), {
    set.seed(8)
    for (way in ways(engine)) {
      case <- do.call(random_counter, c(list(engine, FALSE, TRUE, TRUE), way))
      tree <- list(
        column = 7L, branch = c(0L, 1L, 1L, 1L, 2L, 2L, 2L),
        children = list(11, list(column = 3L, at = 0.5, missing = 1L, children = list(12, NULL)))
      )
      rows <- case$counter$rows(tree)
      node <- naive_nodes(case$d, case$codes, tree, case$predictors)
      for (id in c(11, 12)) {
        wanted <- case$d[which(node == id), ]
        found <- rows[[as.character(id)]]
        found <- found[order(found$.key), ]
        wanted <- wanted[order(wanted$id), ]
        expect_identical(found$.response, wanted$y)
        expect_equal(found$.weight, wanted$w)
        for (name in case$predictors) {
          one <- wanted[[name]]
          if (is.numeric(one) && !inherits(one, "Date")) one <- replace(as.numeric(one), is.nan(one), NA) + 0
          now <- found[[name]]
          expect_equal(if (is.numeric(now) && !is.object(now)) now + 0 else now, one, tolerance = 0)
        }
      }
      ask <- list(frontier = tree, node = c(11, 11, 12), column = c(3, 3, 3), code = c(1, 2, 4))
      found <- as.data.frame(case$counter$inside(ask))
      code <- naive_codes(case$d[[case$predictors[3L]]], case$codes[[3L]])
      at <- which((node %in% 11 & code %in% 1:2) | (node %in% 12 & code == 4))
      expect_equal(sum(found$n), sum(case$weight[at]))
      expect_identical(sort(unique(found$value)), sort(unique(case$d[[case$predictors[3L]]][at])))
      case$counter$close()
    }
  })

  test_that(paste("what a table holds:", engine), {
    set.seed(9)
    case <- random_counter(engine, TRUE, n = 200)
    meta <- case$meta
    case$counter$close()
    expect_equal(meta$n, nrow(case$d))
    expect_equal(meta$n + meta$dropped, 200)
    expect_equal(meta$response$scale, 100)
    expect_equal(meta$response$mean, mean(case$d$y))
    for (j in seq_along(meta$columns)) {
      x <- case$d[[case$predictors[j]]]
      column <- meta$columns[[j]]
      expect_equal(column$missing, sum(is.na(x)))
      expect_identical(column$kind, if (is.character(x) || is.logical(x)) "nominal" else "numeric")
      expect_identical(class(column$ptype), if (is.integer(x)) "numeric" else class(x))
      if (j != 3L) {
        values <- unique(x[!is.na(x)])
        values <- if (is.logical(x)) c("FALSE", "TRUE") else
          if (is.character(x)) sort(values, method = "radix") else unique(sort(as.numeric(values) + 0))
        expect_identical(column$values, values)
      }
    }
    cuts <- case$codes[[3L]]$cuts
    expect_true(all(cuts %in% case$d[[case$predictors[3L]]]))
    share <- vapply(cuts, function(cut) mean(case$d[[case$predictors[3L]]] <= cut), 0)
    expect_lt(max(abs(share - seq_along(share) / 7)), 0.02)
  })

  test_that(paste("counts in small batches are the same:", engine), {
    set.seed(10)
    case <- random_counter(engine)
    tree <- list(
      column = 1L, branch = c(1L, 1L, 2L, 2L, 3L, 3L, 3L), children = list(2, 3, 4)
    )
    whole <- sort_cells(case$counter$counts(tree, list()))
    case$counter$close()
    link <- engine_connection(engine)
    small <- tectree:::sql_counter(
      link, "SELECT * FROM random_table", "y", case$predictors,
      settings = list(max_values = 40, max_cells = 30)
    )
    small$encode(case$codes)
    expect_identical(sort_cells(small$counts(tree, list())), whole)
    expect_gt(sum(small$passes()$what == "counts"), 5)
    small$close()
  })

  test_that(paste("numbers cross exactly:", engine), {
    con <- engine_connection(engine)
    set.seed(11)
    bits <- as.raw(sample(0:255, 8 * 400, TRUE))
    x <- readBin(bits, "double", 400)
    x <- c(x[is.finite(x)], stats::rnorm(100), 0.1, 2^53, 2^53 + 2, -2^62, 5e-324, 1.7976931348623157e308,
      2.2250738585072011e-308, 1 / 3, Inf, -Inf, 123456789.123456789)
    link <- tectree:::sql_link(con)
    sql <- paste("SELECT", link$dialect$number(x), "AS v,", seq_along(x), "AS i", collapse = " UNION ALL ")
    for (some in split(seq_along(x), (seq_along(x) - 1L) %/% 100L)) {
      sql <- paste("SELECT", some, "AS i,", link$dialect$number(x[some]), "AS v", collapse = " UNION ALL ")
      out <- tectree:::ask(link, sql, "numbers")
      expect_identical(out$v[order(out$i)], x[some])
    }
  })
}
