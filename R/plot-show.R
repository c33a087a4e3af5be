# Tested in test-plot-show.R and test-plot-path.R.
# The texts in the nodes.

show_words <- c("node", "prediction", "share", "shares", "count", "percent", "test")

# list(leaf =, inner =): words for each kind of node.
check_show <- function(show, response, branches = "condition", filled = FALSE) {
  if (is.null(show)) {
    return(default_show(response, branches, filled))
  }
  if (!is.list(show)) show <- list(leaf = show, inner = show)
  if (is.null(names(show)) || !all(names(show) %in% c("leaf", "inner"))) {
    tec_abort("argument", c(
      "A list {.arg show} must have the names {.val leaf} and {.val inner}.",
      i = "For example {.code show = list(leaf = c(\"node\", \"prediction\"), inner = \"node\")}."
    ))
  }
  lapply(list(leaf = show$leaf, inner = show$inner), function(words) {
    if (!is.null(words) && !is.character(words)) match_choice(words, show_words, "show")
    words <- as.character(words)
    for (word in words) match_choice(word, show_words, "show")
    if (any(c("share", "shares") %in% words) && response$task == "regression") {
      tec_abort("argument", c(
        "{.arg show} {.val {intersect(words, c('share', 'shares'))}} is for classes.",
        x = "The response {.field {response$name}} is numeric."
      ))
    }
    if ("test" %in% words && !isTRUE(response$tested)) {
      tec_abort("argument", c(
        "{.arg show} {.val test} is for trees grown by p values.",
        i = "Such as those of {.code preset = \"chaid\"}."
      ))
    }
    words
  })
}

default_show <- function(response, branches = "condition", filled = FALSE) {
  classes <- response$task == "classification"
  if (filled) {
    # All shares of more classes are wider than their box.
    few <- length(response$levels) <= 5L
    words <- c("prediction", if (classes) if (few) "shares" else "share", "percent")
    return(list(leaf = words, inner = words))
  }
  said <- c("prediction", if (classes) "share")
  # If an inner node has the name of its variable, nothing else is needed.
  inner <- if (branches == "value") character() else said
  if (isTRUE(response$tested) && branches == "condition") inner <- c(inner, "test")
  list(leaf = c(said, "count"), inner = inner)
}

# Whether inner nodes show their split variable, because other text in or below them refers to it.
names_variables <- function(looks) looks$branches == "value" || any(looks$strip_size > 0)

# To a whole number, unless that would be 0.
percent_text <- function(share) {
  percent <- 100 * share
  small <- format(signif(percent, 1L), trim = TRUE, drop0trailing = TRUE, scientific = FALSE)
  ifelse(percent < 1, small, format(round(percent), trim = TRUE))
}

# The path of one row down the tree.

# list(node =, value = the row's value of what each node tests), or NULL.
row_path <- function(fit, path, env) {
  if (is.null(path)) {
    return(NULL)
  }
  if (!is.data.frame(path) || nrow(path) != 1L) {
    tec_abort("argument", c(
      "{.arg path} must be a data frame of one row.",
      x = if (is.data.frame(path)) "It has {nrow(path)} rows." else "It is {describe(path)}.",
      i = "For example {.code path = newdata[1, ]}."
    ))
  }
  values <- code_rows(fit, path, env, "path")
  node <- predict_paths(fit, values, 1L)[[1L]]$node
  variable <- fit$tree$variable[node]
  value <- rep("", length(node))
  for (i in which(fit$tree$kind[node] != 0L)) {
    value[i] <- value_text(fit$columns, variable[i], values[[variable[i]]], 4L)
  }
  list(node = node, value = value)
}

# The width and colour of the branch to each node.
# None is wider than `most` inches.
branch_pens <- function(view, ink, most, usual = 1) {
  on <- view$on_path
  most <- 96 * most
  width <- if (attr(view, "looks")$by_rows) {
    pmax(0.6, min(10, most) * view$size / max(view$size))
  } else {
    ifelse(on, max(usual, min(3, most)), usual)
  }
  data.frame(width = width, colour = ifelse(on, ink$text, ink$line))
}
