# Tested in test-words-mars.R.
# Arguments of other packages that only tec_mars() takes: see other-words.R for the entries.

prune_method_word <- function(x) {
  if (is.character(x) && length(x) > 1L) x <- x[1L]
  if (identical(x, FALSE)) {
    return(list(prune = "none"))
  }
  if (isTRUE(x)) {
    return(list(prune = "gcv"))
  }
  ours <- c(backward = "gcv", cv = "folds", none = "none")
  if (!is.character(x) || !x %in% names(ours)) {
    tec_abort("argument", c(
      "{.arg pmethod} must be {.or {.val {names(ours)}}}.",
      x = "It is {describe(x)}.",
      i = "{.fn tec_mars} takes terms out one by one."
    ))
  }
  list(prune = ours[[x]])
}

# In earth folds alone only measure; pmethod = "cv" chooses by them.
fold_word <- function(x) if (identical(as.double(x), 0)) list() else list(folds = x)

glm_word <- function(x) {
  family <- if (is.list(x)) x$family
  if (is.function(family)) family <- family()$family
  if (inherits(family, "family")) family <- family$family
  if (!is.null(x) && !identical(family, "binomial")) {
    tec_abort("argument", c(
      "{.arg glm} can only ask for {.code list(family = binomial)}.",
      i = "For classes {.fn tec_mars} fits logistic regressions anyway."
    ))
  }
  list()
}

mars_words <- list(
  word("mars", c("nk", "max.terms", "nterms"), "earth, mda", ours = "terms"),
  word("mars", c("nprune", "num_terms"), "earth, parsnip", ours = "max_terms"),
  word("mars", c("prod_degree", "max_degree"), "parsnip, py-earth", ours = "degree"),
  word("mars", c("pmethod", "prune_method"), "earth, parsnip",
    ours = "prune, \"backward\": \"gcv\", \"cv\": \"folds\"", convert = prune_method_word
  ),
  word("mars", "nfold", "earth", ours = "folds, which then choose the size", convert = fold_word),
  word("mars", "minspan", "earth, py-earth", ours = "min_span"),
  word("mars", "endspan", "earth, py-earth", ours = "end_span"),
  word("mars", "Adjust.endspan", "earth", ours = "end_adjust"),
  word("mars", c("fast.k", "fast_K"), "earth, py-earth", ours = "fast_k"),
  word("mars", c("fast.beta", "fast_h"), "earth, py-earth", ours = "fast_beta"),
  word("mars", c("forward.step", "threshold"), "mda", advice = "use `thresh =`"),
  word("mars", "glm", "earth", ours = "nothing: classes have logistic regressions",
    convert = glm_word
  ),
  word("mars", "trace", "earth", ours = "nothing", convert = function(x) list()),
  word("mars", c("keepxy", "Get.leverages", "Use.beta.cache", "Force.xtx.prune", "stratify",
    "trace.mars"), "earth, mda", advice = "leave it out", default = function(value) TRUE),
  word("mars", "newvar.penalty", "earth", advice = no_equal, default = 0),
  word("mars", "linpreds", "earth", advice = no_equal, default = FALSE),
  word("mars", "allowed", "earth", advice = no_equal, default = list(NULL)),
  word("mars", "ncross", "earth", advice = no_equal, default = 1),
  word("mars", "varmod.method", "earth", advice = no_equal, default = "none"),
  word("mars", "Auto.linpreds", "earth", advice = no_equal, default = TRUE),
  word("mars", "Scale.y", "earth", advice = no_equal, default = list(NULL, TRUE)),
  word("mars", "wp", "earth", advice = no_equal, default = list(NULL)),
  word("mars", c("case_weights", "sample_weight", "w"), "tidymodels, scikit-learn, mda",
    ours = "weights"
  )
)

other_words <- c(other_words, mars_words)
