# Tested in test-tec_boost.R.
#' @rdname tec_boost
#' @order 4
#' @param digits Number of significant digits.
#' @param width Line width.
#' @export
format.tec_boost <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  refuse_dots("print", ...)
  width <- max(20, check_bound(width, "width", least = 1))
  check_fit(x)
  lines <- c(boost_title(x), boost_size(x), boost_loss_text(x, digits), boost_strongest(x, digits))
  fit_width(unlist(lapply(lines, wrap, width)), width)
}

boost_title <- function(x) {
  name <- show_names(x$response$name)
  if (x$method == "adaboost") {
    return(paste0("AdaBoost for ", name, " (", format(x$criterion), ")"))
  }
  what <- c(
    squared = "squared error", logistic = "logistic loss", multinomial = "multinomial loss"
  )[[x$loss]]
  if (isTRUE(x$settings$cyclic)) what <- paste0(what, ", predictors in turn")
  paste0("Gradient boosting for ", name, " (", what, ")")
}

boost_size <- function(x) {
  trees <- length(x$round)
  leaves <- number_text(sum(x$trees$variable == 0L) / trees, 3L)
  toString(c(
    paste0(count_text(x$rounds, "round"), boost_choice(x$settings)),
    paste0(count_text(trees, "tree"), " of ", leaves, " leaves on average"),
    count_text(x$n_rows, "row"),
    # The settings of a model from a file are unknown.
    if (!is.null(x$settings$rate)) paste("rate", number_text(x$settings$rate)),
    boost_depth(x$settings), boost_draws(x)
  ))
}

# How the rounds were chosen.
boost_choice <- function(settings) {
  if (!is.null(settings$folds)) {
    paste0(" by ", settings$folds, " folds")
  } else if (isTRUE(settings$held_out > 0)) {
    paste(" by", count_text(settings$held_out, "held-out row"))
  }
}

# What each round draws, and the least leaf if the rounds were chosen.
boost_draws <- function(x) {
  settings <- x$settings
  drawn <- c(
    if (isTRUE(settings$draws > 0)) count_text(settings$draws, "row"),
    if (isTRUE(settings$drawn_columns > 0)) count_text(settings$drawn_columns, "predictor")
  )
  c(
    if (length(drawn)) paste(paste(drawn, collapse = " and "), "a round"),
    if (!is.null(boost_choice(settings))) {
      paste("leaves of at least", count_text(settings$min_bucket, "row"))
    }
  )
}

# With `cyclic`, trees of one predictor are one split less deep than those of pairs.
boost_depth <- function(settings) {
  depth <- settings$max_depth
  if (is.null(depth)) {
    return(NULL)
  }
  if (is.infinite(depth)) {
    return("any depth")
  }
  if (!isTRUE(settings$cyclic)) {
    return(paste("depth", number_text(depth)))
  }
  single <- paste("depth", number_text(max(1, depth - 1)))
  kept <- length(settings$chosen)
  if (kept == 0L) {
    return(c(single, if (isTRUE(settings$pairs > 0)) "no pair lowered the loss"))
  }
  c(single, paste(count_text(kept, "pair"), "of depth", number_text(depth)))
}

boost_loss_text <- function(x, digits) {
  if (is.null(x$curve)) {
    return("The losses of its rounds are not known")
  }
  last <- x$curve[min(x$rounds, nrow(x$curve)), ]
  if (x$method == "adaboost") {
    return(paste0("Error of the last tree on its weights ", number_text(last$training, digits)))
  }
  what <- c(training = "training", validation = "validation", folds = "folds")
  shown <- intersect(names(what), names(last))
  text <- paste0(what[shown], " ", number_text(unlist(last[shown]), digits))
  paste0("Loss: ", toString(text))
}

boost_strongest <- function(x, digits) {
  if (is.null(x$gain) || !any(x$gain > 0)) {
    return(NULL)
  }
  share <- sort(x$gain / sum(x$gain), decreasing = TRUE)
  share <- share[share > 0][seq_len(min(5L, sum(share > 0)))]
  paste0("Most gain: ", toString(paste0(show_names(names(share)), " ", round(100 * share), " %")))
}

#' @exportS3Method
summary_parts.tec_boost <- function(fit) {
  list(
    title = boost_title(fit), size = boost_size(fit), training = boost_loss_text(fit, 4L),
    importance = importance.tec_boost(fit)
  )
}
