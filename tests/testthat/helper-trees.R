# Small data and hand-built trees that several test files use.

toy <- function() {
  data.frame(
    y = factor(rep(c("no", "yes"), c(6, 6))),
    x = c(1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16),
    colour = factor(rep(c("red", "green", "blue", "red"), c(3, 3, 3, 3))),
    size = factor(rep(c("s", "m", "l"), 4), levels = c("s", "m", "l"), ordered = TRUE),
    stringsAsFactors = FALSE
  )
}

# tec_tree() with all of the tree, unless the call says how to prune, and the class shares of its
# rows.
full_tree <- function(...) {
  call <- sys.call()
  call[[1L]] <- quote(tec_tree)
  with_full_trees(call, names(match.call(expand.dots = FALSE)$...), parent.frame())
}

with_full_trees <- function(call, said, env) {
  by_preset <- !is.null(call$preset) && !identical(eval(call$preset, env), "tec")
  asked <- c("prune", "cp", "alpha", "tune", "control") %in% said
  if (!by_preset && !any(asked)) call$prune <- "none"
  if (!"smooth" %in% said) call$smooth <- 0
  eval(call, env)
}

toy_tree <- function(...) full_tree(y ~ x, toy(), min_bucket = 1, ...)

# A tree whose every right child splits again, `depth` times: x <= 1, x <= 2, ...
chain_tree <- function(depth) {
  fit <- full_tree(y ~ x, data.frame(x = 1:4, y = c(1, 2, 3, 4)), max_depth = 1, min_bucket = 1)
  n <- 2L * depth + 1L
  inner <- seq(1L, by = 2L, length.out = depth)
  kind <- integer(n)
  kind[inner] <- 1L
  parent <- integer(n)
  parent[inner + 1L] <- inner
  parent[inner + 2L] <- inner
  level <- c(rep(seq_len(depth) - 1L, each = 2L), depth)
  level[inner[-1L] - 1L] <- seq_len(depth)[-depth]
  level[n - 1L] <- depth
  before <- cumsum(c(0L, kind != 0L))[seq_len(n)]
  leaf <- function(x) ifelse(kind == 0L, NA, x)
  fit$tree <- list(
    parent = parent, depth = as.integer(level), kind = kind,
    variable = ifelse(kind == 0L, 0L, 1L), n_children = ifelse(kind == 0L, 0L, 2L),
    child_start = as.integer(2L * before), child = as.integer(rbind(inner + 1L, inner + 2L)),
    break_start = as.integer(before), break_count = as.integer(kind != 0L),
    breaks = as.double(seq_len(depth)),
    level_start = integer(n), level_count = integer(n), level = integer(), level_child = integer(),
    default_child = ifelse(kind == 0L, NA_integer_, 1L),
    n = rep(1, n), weight = rep(1, n), yval = as.double(seq_len(n)), impurity = rep(0, n),
    gain = ifelse(kind == 0L, NA, 1), score = ifelse(kind == 0L, NA, 1),
    exact = ifelse(kind == 0L, NA, TRUE), prob = matrix(0, n, 0),
    unknown = 0L, by_surrogate = FALSE, surrogate_start = integer(n),
    surrogate_count = integer(n), surrogate_variable = integer(), surrogate_kind = integer(),
    surrogate_flipped = logical(), surrogate_cut = double(), surrogate_level_start = integer(),
    surrogate_level_count = integer(), surrogate_agree = double(), surrogate_adj = double()
  )
  fit
}
