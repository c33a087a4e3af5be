# Rows x nodes: does the row fulfil all conditions of the node's region?
rows_in_regions <- function(fit, data) {
  columns <- fit$columns
  values <- lapply(seq_along(columns$name), function(i) {
    x <- data[[columns$name[i]]]
    if (columns$kind[i] == "numeric") as.numeric(x) else match(x, columns$levels[[i]])
  })
  fulfils <- function(condition) {
    x <- values[[condition$variable]]
    inside <- if (is.null(condition$codes)) {
      x > condition$lower & x <= condition$upper
    } else {
      x %in% condition$codes
    }
    ifelse(is.na(x), condition$missing, inside)
  }
  vapply(node_regions(fit), function(region) {
    Reduce(`&`, lapply(region, fulfils), rep(TRUE, nrow(data)))
  }, logical(nrow(data)))
}

# The same by the leaf that predict() finds and the way up from there.
rows_in_nodes <- function(fit, data) {
  leaf <- predict(fit, data, type = "node")
  out <- matrix(FALSE, nrow(data), length(fit$tree$parent))
  at <- leaf
  while (any(at > 0, na.rm = TRUE)) {
    known <- which(at > 0)
    out[cbind(known, at[known])] <- TRUE
    at[known] <- fit$tree$parent[at[known]]
    at[is.na(at)] <- 0
  }
  out
}

test_that("a row lies in the regions of the nodes that it passes, and in no other", {
  all <- every_split()
  for (name in names(all$fits)) {
    fit <- all$fits[[name]]
    expect_identical(rows_in_regions(fit, all$data), rows_in_nodes(fit, all$data), label = name)
  }
})

test_that("missing values and unseen levels lie where they are sent", {
  all <- every_split()
  data <- all$data
  set.seed(2)
  for (column in c("x", "k", "colour", "size", "day")) data[[column]][sample(300, 60)] <- NA
  new <- data
  levels(new$colour) <- c(levels(new$colour), "pink")
  new$colour[1:20] <- "pink"
  for (settings in list(list(), list(nominal = "multiway"), list(intervals = 4))) {
    fit <- do.call(tec_tree, c(
      list(y ~ . - z, data, missing = "majority", prune = "none"), settings
    ))
    expect_gt(n_leaves(fit), 5)
    expect_warning(passed <- rows_in_nodes(fit, new), class = "tec_warning_unseen")
    expect_identical(rows_in_regions(fit, new), passed)
  }
})
