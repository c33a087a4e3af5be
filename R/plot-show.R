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
