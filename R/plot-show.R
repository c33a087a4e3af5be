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

# The view with what is written in and below the nodes: `before`, `name` and `after` are the parts
# of the title, of which only the name may be shortened; `title` is all of it. `extra` stands below
# the title, of inner nodes in several lines. The attributes `edges` and `asks` have the conditions
# on the branches and those of the nodes themselves (see condition_parts()); `edge` and `ask` are
# their texts.
write_nodes <- function(view) {
  looks <- attr(view, "looks")
  show <- looks$show
  has <- function(word) ifelse(view$leaf, word %in% show$leaf, word %in% show$inner)
  join <- function(parts, between = ", ") {
    apply(do.call(cbind, parts), 1L, function(t) paste(t[nzchar(t)], collapse = between))
  }
  share <- shares <- ""
  if (length(attr(view, "shares"))) {
    text <- share_text(attr(view, "predicted"))
    share <- text[cbind(seq_along(view$yval), view$yval)]
    shares <- apply(text, 1L, paste, collapse = " ")
  }
  answer <- ifelse(has("prediction"), view$value, "")
  share <- ifelse(has("share"), share, "")
  size <- join(list(
    ifelse(has("count"), rows_text(view$n), ""),
    ifelse(has("percent"), paste0(percent_text(view$n / attr(view, "total")), "%"), "")
  ))
  size <- join(list(ifelse(has("shares"), shares, ""), size), "\n")
  named <- !view$leaf & names_variables(looks)
  on <- match(view$node, looks$path$node, nomatch = 0L)
  said <- ifelse(on > 0L & !view$leaf, looks$path$value[pmax(on, 1L)], "")
  own <- ifelse(nzchar(said), paste(view$variable, "=", said), "")
  gap <- function(text) ifelse(nzchar(text), " ", "")
  view$before <- ifelse(has("node"), paste0(view$node, ") "), "")
  view$name <- ifelse(named, view$variable, answer)
  view$after <- ifelse(
    named, ifelse(nzchar(said), paste(" =", said), ""),
    paste0(ifelse(nzchar(answer), gap(share), ""), share)
  )
  view$title <- trimws(paste0(view$before, view$name, view$after))
  view$extra <- ifelse(
    named, join(list(join(list(answer, share), " "), size), "\n"),
    ifelse(nzchar(own), join(list(own, size), "\n"), size)
  )
  test <- ifelse(has("test") & !view$leaf, view$test, "")
  view$extra <- join(list(view$extra, test), "\n")
  attr(view, "numbered") <- any(has("node"))
  write_conditions(view, looks$branches)
}

# Whether inner nodes show their split variable, because other text in or below them refers to it.
names_variables <- function(looks) looks$branches == "value" || any(looks$strip_size > 0)

# To a whole number, unless that would be 0.
percent_text <- function(share) {
  percent <- 100 * share
  small <- format(signif(percent, 1L), trim = TRUE, drop0trailing = TRUE, scientific = FALSE)
  ifelse(percent < 1, small, format(round(percent), trim = TRUE))
}
