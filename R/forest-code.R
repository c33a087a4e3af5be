# A forest as source code: its nodes in vectors, and a function that walks them.

forest_code <- function(fit, lang, name) {
  check_fit(fit)
  check_forest_finite(fit)
  words <- code_words[[lang]]
  template <- sub("tree", "forest", words$file, fixed = TRUE)
  end <- sub("tree", if (is_linked(fit)) "end_boost" else "end_forest", words$file, fixed = TRUE)
  fields <- c(list(NAME = name), forest_code_fields(fit, lang, words))
  if (is_linked(fit)) fields <- c(fields, linked_code_fields(fit, lang, words))
  text <- code_template(template, package_text("export", end))
  fill_template(text, code_dummies(fields, lang))
}

forest_code_fields <- function(fit, lang, words) {
  numbers <- code_numbers(lang)
  csv <- function(x) wrap_items(x, ", ")
  used <- needed_columns(fit)
  inputs <- lapply(used, export_input, fit = fit)
  classes <- forest_classes(fit)
  ends <- forest_entries(fit)
  by <- forest_rule(fit)
  nodes <- forest_nodes(fit$trees, used, words$base)
  ordered <- fit$columns$kind[used] == "ordered"
  by_votes <- by == "votes"
  c(
    list(
      N_INPUTS = length(inputs), SCORES = ncol(ends$score),
      INPUTS = csv(quoted(vapply(inputs, `[[`, "", "name"), lang)),
      CLASSES = csv(quoted(classes %||% character(), lang)),
      ORDERED = csv(if (lang == "c") as.integer(ordered) else code_bool(ordered, lang)),
      START = csv(nodes$start), INPUT = csv(nodes$input), RIGHT = csv(nodes$right),
      CUT = csv(numbers(nodes$cut)), SIDE = csv(as.integer(fit$trees$sides)),
      SCORE = code_matrix(ends$score, words, numbers), WEIGHT = csv(numbers(ends$weight)),
      UNKNOWN = fit$trees$unknown, STOP = csv(nodes$stop),
      BY_VOTES = if (lang == "c") as.integer(by_votes) else code_bool(by_votes, lang),
      IS_CLASS = as.integer(length(classes) > 0L),
      MODEL = if (is_linked(fit)) "A boosted model" else "A forest",
      GIVES = forest_code_gives[[if (is_linked(fit)) "boost" else "forest"]]
    ),
    code_aims(fit$response$levels, fit$cost, lang, words, numbers),
    code_levels(list(inputs = inputs), lang)
  )
}

# What the functions give, for the comment at the top.
forest_code_gives <- list(
  forest = "response, and for classes prob (mean shares) and votes (shares of trees)",
  boost = "response (the class), prob (the probabilities) and link (the sums of the trees)"
)

# Weights, and shares or numbers, of all leaves in their order; where rows stop, then those of the
# inner nodes, of weight 0.
forest_entries <- function(fit) {
  trees <- fit$trees
  leaf <- which(trees$variable == 0L)
  classes <- length(fit$response$levels)
  score <- if (classes) leaf_class_shares(trees, leaf, classes) else matrix(trees$cut[leaf])
  weight <- leaf_weights(trees, leaf, classes)
  if (trees$unknown == 2L) {
    own <- forest_own(fit)[-leaf, , drop = FALSE]
    score <- rbind(score, own)
    weight <- c(weight, numeric(nrow(own)))
  }
  list(score = score, weight = weight)
}

# What all nodes predict themselves: a row per node.
forest_own <- function(fit) {
  classes <- length(fit$response$levels)
  if (!is.null(fit$trees$own)) {
    return(t(own_values(fit$trees, classes)))
  }
  do.call(rbind, lapply(seq_len(length(fit)), function(i) {
    tree <- forest_tree(fit, i)$tree
    if (classes) tree$prob else matrix(tree$yval)
  }))
}

# Inputs are numbered as in `used`; nodes and entries from `base`.
forest_nodes <- function(trees, used, base) {
  leaf <- trees$variable == 0L
  place <- seq_along(leaf)
  right <- place + trees$right - 1L + base
  right[leaf] <- seq_len(sum(leaf)) - 1L + base
  stop <- if (trees$unknown == 2L) ifelse(leaf, right, sum(leaf) + cumsum(!leaf) - 1L + base)
  input <- sign(trees$variable) * match(abs(trees$variable), used, nomatch = 0L)
  list(
    start = trees$start[-length(trees$start)] + base, input = as.integer(input), right = right,
    stop = as.integer(stop), cut = replace(trees$cut, leaf, 0)
  )
}
