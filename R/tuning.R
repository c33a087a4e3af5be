# Tested in test-tune-forest.R, test-tune-boost.R and test-caret.R.
# The table of settings that can be tuned. It defines the default grids of tec_tune() for forests
# and boosted models (those of trees follow from the largest tree, see tune-default.R), and the
# settings that tec_caret() tunes.

# The settings of tec_tune(), the usual ones first, and how many have a grid by default.
tuned_settings <- list(
  tree = c("cp", "max_depth", "min_split", "min_bucket"),
  forest = c("mtry", "min_bucket", "min_split", "max_depth", "sample_fraction", "q"),
  boost = c("rounds", "max_depth", "rate", "column_fraction", "sample_fraction", "min_bucket"),
  adaboost = c("rounds", "max_depth", "rate", "q")
)
usual_tuned <- c(forest = 2L, boost = 3L, adaboost = 2L)

# The settings of tec_caret(), the usual ones first.
caret_settings <- list(
  tree = c("cp", "max_depth", "min_split", "min_bucket", "q", "criterion"),
  forest = c("mtry", "max_depth", "min_split", "min_bucket", "q", "criterion"),
  boost = c("rounds", "max_depth", "rate", "min_bucket", "sample_fraction", "column_fraction"),
  adaboost = c("rounds", "max_depth", "rate", "q", "criterion")
)

# `grid`: the values of tec_tune() for a model, `n` rows and `p` predictors. For caret: `label`;
# `values`, which returns `len` values; `draw`, which returns `len` random values; `larger`: 1 if a
# larger value takes longer or makes a larger tree, -1 if a smaller value does.
tuning <- list(
  cp = list(
    label = "Complexity penalty", larger = -1,
    values = function(len, p) c(0, signif(0.1 * 0.4^rev(seq_len(len - 1L)), 2)),
    draw = function(len, p) 10^stats::runif(len, -4, -1)
  ),
  mtry = list(
    label = "Predictors searched per node", larger = 1,
    grid = function(model, n, p) {
      sort(unique(pmax(1, round(c(sqrt(p) / 2, sqrt(p), p / 3, p / 1.5, p)))))
    },
    values = function(len, p) {
      unique(round(if (len == 1L) sqrt(p) else seq(min(2, p), p, length.out = len)))
    },
    draw = function(len, p) sample.int(p, len, TRUE)
  ),
  rounds = list(
    label = "Rounds", larger = 1,
    values = function(len, p) 50 * seq_len(len),
    draw = function(len, p) sample.int(500, len, TRUE)
  ),
  rate = list(
    label = "Learning rate", larger = 0,
    grid = function(model, n, p) if (model == "adaboost") c(0.3, 1) else c(0.03, 0.1, 0.3),
    values = function(len, p) if (len == 1L) 0.1 else signif(0.3 / 3^(seq_len(len) - 1), 2),
    draw = function(len, p) 10^stats::runif(len, -2, -0.5)
  ),
  max_depth = list(
    label = "Largest depth", larger = 1,
    grid = function(model, n, p) if (model == "forest") c(4, 8, 16, Inf) else c(1, 2, 4, 6),
    values = function(len, p) 1 + seq_len(len),
    draw = function(len, p) sample.int(15, len, TRUE)
  ),
  min_split = list(
    label = "Least weight of a split", larger = -1,
    grid = function(model, n, p) up_to(c(2, 5, 10, 20), n / 2),
    values = function(len, p) round(4 * 1.7^seq_len(len)),
    draw = function(len, p) sample(2:40, len, TRUE)
  ),
  min_bucket = list(
    label = "Least weight of a branch", larger = -1,
    grid = function(model, n, p) {
      up_to(if (model == "forest") c(1, 3, 5, 10) else c(5, 10, 20, 50), n / 6)
    },
    values = function(len, p) round(1.7^seq_len(len)),
    draw = function(len, p) sample.int(20, len, TRUE)
  ),
  sample_fraction = list(
    label = "Share of rows drawn per round", larger = 1,
    grid = function(model, n, p) c(0.5, 0.75, 1),
    values = function(len, p) if (len == 1L) 1 else seq(0.5, 1, length.out = len),
    draw = function(len, p) stats::runif(len, 0.5, 1)
  ),
  column_fraction = list(
    label = "Share of predictors drawn per round", larger = 1,
    grid = function(model, n, p) c(0.5, 0.75, 1),
    values = function(len, p) if (len == 1L) 1 else seq(0.5, 1, length.out = len),
    draw = function(len, p) stats::runif(len, 0.5, 1)
  ),
  q = list(
    label = "q of the Tsallis entropy", larger = 0,
    grid = function(model, n, p) usual_q_grid,
    values = function(len, p) if (len == 1L) 1 else seq(0.5, 3, length.out = len),
    draw = function(len, p) stats::runif(len, 0.2, 4)
  )
)

usual_q_grid <- seq(0.2, 4, by = 0.2)

# The values up to a limit, and at least the first.
up_to <- function(values, most) values[seq_along(values) == 1L | values <= most]
