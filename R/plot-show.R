# What is written in the nodes, in words.

show_words <- c("node", "prediction", "share", "count", "percent")

# list(leaf =, inner =): words for each kind of node.
check_show <- function(show, response) {
  if (is.null(show)) {
    return(list(leaf = c("prediction", "count"), inner = character()))
  }
  if (!is.list(show)) show <- list(leaf = show, inner = show)
  if (is.null(names(show)) || !all(names(show) %in% c("leaf", "inner"))) {
    tec_abort("argument", c(
      "A list {.arg show} must have the names {.val leaf} and {.val inner}.",
      i = "For example {.code show = list(leaf = c(\"node\", \"prediction\"), inner = \"node\")}."
    ))
  }
  lapply(list(leaf = show$leaf, inner = show$inner), function(words) {
    words <- as.character(words)
    for (word in words) match_choice(word, show_words, "show")
    if ("share" %in% words && response$task == "regression") {
      tec_abort("argument", c(
        "{.arg show} {.val share} is for classes.",
        x = "The response {.field {response$name}} is numeric."
      ))
    }
    words
  })
}

# The view with `title` (in bold) and `extra` for each node, of inner ones in up to two lines.
write_nodes <- function(view, show, total, path = NULL) {
  has <- function(word) ifelse(view$leaf, word %in% show$leaf, word %in% show$inner)
  join <- function(parts, between = ", ") {
    apply(do.call(cbind, parts), 1L, function(t) paste(t[nzchar(t)], collapse = between))
  }
  shares <- attr(view, "shares")
  share <- if (length(shares)) shares[cbind(seq_along(view$yval), view$yval)] else 0
  prediction <- join(list(
    ifelse(has("prediction"), view$value, ""), ifelse(has("share"), sprintf("%.2f", share), "")
  ), " ")
  size <- join(list(
    ifelse(has("count"), rows_text(view$n), ""),
    ifelse(has("percent"), paste0(percent_text(view$n / total), "%"), "")
  ))
  number <- ifelse(has("node"), paste0(view$node, ")"), "")
  tested <- view$variable
  on <- match(view$node, path$node, nomatch = 0L)
  said <- on > 0L & !view$leaf
  tested[said] <- paste(tested[said], "=", path$value[on[said]])
  view$title <- join(list(number, ifelse(view$leaf, prediction, tested)), " ")
  view$extra <- ifelse(view$leaf, size, join(list(prediction, size), "\n"))
  attr(view, "numbered") <- any(has("node"))
  view
}

# To a whole number, but for what would be none.
percent_text <- function(share) {
  percent <- 100 * share
  small <- format(signif(percent, 1L), trim = TRUE, drop0trailing = TRUE, scientific = FALSE)
  ifelse(percent < 1, small, format(round(percent), trim = TRUE))
}
