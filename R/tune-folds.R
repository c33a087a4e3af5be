# The folds of cross-validation. A fold is list(repeat_, fold, train =, test =, weights =): the row
# numbers (of the data, increasing) to grow from and to predict, and the weights, or NULL for those
# of the call.
#
# All random numbers of a call are drawn here, before any tree is grown, so that the result does not
# depend on how the trees are distributed over processes.

# `used`: the rows that may be used; `class`: their class codes or NULL.
make_folds <- function(folds, repeats, stratified, used, class, n, levels) {
  repeats <- check_fold_count(repeats, "repeats", 1, 1e4) # all folds are drawn at once
  if (inherits(folds, "rset")) {
    check_one_repeat(repeats)
    parts <- resampled_folds(folds, used, n)
  } else if (is.numeric(folds) && length(folds) == 1L) {
    folds <- check_fold_number(folds, length(used))
    if (stratified) say_small_classes(class, folds, levels)
    draw <- function(r) given_folds(draw_folds(folds, length(used), if (stratified) class), used, r)
    parts <- unlist(lapply(seq_len(repeats), draw), recursive = FALSE)
  } else {
    check_one_repeat(repeats)
    parts <- given_folds(check_fold_vector(folds, used, n), used, 1L)
  }
  warn_lost_classes(parts, used, class, levels)
  parts
}

check_fold_count <- function(value, arg, least, most = .Machine$integer.max) {
  if (!is_number(value) || value < least || value != round(value) || value > most) {
    bound <- "below 2^31"
    if (most < .Machine$integer.max) bound <- paste("at most", big_number(most))
    abort_found(
      "{.arg {arg}} must be one whole number of at least {least}, and {bound}.", value,
      topic = "folds"
    )
  }
  as.integer(value)
}

check_fold_number <- function(folds, n_used) {
  folds <- check_fold_count(folds, "folds", 2)
  if (folds > n_used) {
    tec_abort("folds", c(
      "There must be at least as many rows as {.arg folds}.",
      x = paste(
        "There {cli::qty(n_used)}{?is/are}", count_text(n_used, "row"), "and", folds, "folds."
      )
    ))
  }
  folds
}

check_one_repeat <- function(repeats) {
  if (repeats > 1L) {
    tec_abort("folds", c(
      "{.arg repeats} needs {.arg folds} as one number.",
      x = "The folds are given, so every repeat would be the same."
    ))
  }
}

# The fold of each used row as 1..k.
check_fold_vector <- function(folds, used, n) {
  ok <- (is.numeric(folds) || is.factor(folds) || is.character(folds)) && is.null(dim(folds))
  if (!ok || length(folds) == 0L) {
    abort_found(
      "{.arg folds} must be one number, the fold of each row, or resamples of {.pkg rsample}.",
      folds, topic = "folds"
    )
  }
  if (!length(folds) %in% c(n, length(used))) {
    tec_abort("folds", c(
      "{.arg folds} must be one number, or have one value per row.",
      x = value_count(length(folds), n),
      i = if (length(used) != n) "{length(used)} of them {?is/are} used."
    ))
  }
  if (length(folds) == n) folds <- folds[used]
  if (anyNA(folds)) {
    tec_abort("folds", c(
      "{.arg folds} must have the fold of every row that is used.",
      x = "{sum(is.na(folds))} value{?s} {?is/are} missing."
    ))
  }
  group <- match(folds, sort(unique(folds)))
  if (max(group) < 2L) {
    tec_abort("folds", c(
      "There must be at least 2 {.arg folds}.",
      x = "Every row is in the same fold."
    ))
  }
  group
}

# Folds differ in size by at most one row. With classes, each class is shuffled and continues with
# the fold where the last class stopped, so that each class is spread evenly too.
draw_folds <- function(k, n, class = NULL) {
  order <- sample.int(n)
  if (!is.null(class)) order <- order[order(class[order])]
  group <- integer(n)
  group[order] <- rep_len(sample.int(k), n)
  group
}

# A rule that chooses the complexity penalty uses a cross-validation inside each fold.
draw_inner_folds <- function(parts, settings) {
  inner <- Filter(function(s) is.character(s$control$alpha), settings)
  if (length(inner) == 0L) {
    return(parts)
  }
  k <- inner[[1L]]$control$folds
  if (length(k) > 1L) k <- length(unique(k))
  lapply(parts, function(part) {
    n <- length(part$train)
    c(part, list(inner = if (min(k, n) > 1) draw_folds(min(k, n), n)))
  })
}

# Converts folds by row of the data to folds of the rows of copy_rows().
copied_folds <- function(folds, ready, n) {
  if (is.null(ready$from)) {
    return(folds)
  }
  if (!inherits(folds, "rset")) {
    return(if (is.atomic(folds) && length(folds) == n && n > 1L) copied(folds, ready) else folds)
  }
  check_resampled(folds, n)
  folds$splits <- lapply(folds$splits, function(split) {
    times <- tabulate(as.integer(split, data = "analysis"), n)[ready$from]
    out <- seq_len(n) %in% rsample::complement(split)
    rsample::make_splits(
      list(
        analysis = rep.int(seq_along(times), times), assessment = which(out[ready$from])
      ),
      data.frame(row = seq_along(times))
    )
  })
  folds
}

given_folds <- function(group, used, repeat_) {
  lapply(seq_len(max(group)), function(k) {
    list(repeat_ = repeat_, fold = k, train = used[group != k], test = used[group == k])
  })
}

resampled_folds <- function(folds, used, n) {
  need_package("rsample", "tec_tune")
  check_resampled(folds, n)
  # With repeats, `id` is the repeat and `id2` the fold; otherwise `id` is the fold.
  repeat_ <- rep(1L, nrow(folds))
  if ("id2" %in% names(folds)) repeat_ <- match(folds$id, unique(folds$id))
  fold <- stats::ave(repeat_, repeat_, FUN = seq_along)
  unname(Map(
    resampled_fold, folds$splits, repeat_, fold,
    MoreArgs = list(used = used, n = n)
  ))
}

check_resampled <- function(folds, n) {
  of <- vapply(folds$splits, function(split) nrow(split$data), 0L)
  if (any(of != n)) {
    of <- of[of != n][1L]
    tec_abort("folds", c(
      "{.arg folds} must be resamples of the rows of {.arg data}.",
      x = "They are for {of} row{?s}, but there {cli::qty(n)}{?is/are} {n} row{?s}."
    ))
  }
}

resampled_fold <- function(split, repeat_, k, used, n) {
  times <- tabulate(as.integer(split, data = "analysis"), n)
  train <- used[times[used] > 0L]
  test <- sort(intersect(rsample::complement(split), used))
  if (length(train) == 0L || length(test) == 0L) {
    part <- if (length(test)) "to grow a tree from" else "to predict"
    tec_abort("folds", c("Every resample must leave rows to grow from and to predict.",
      x = "Resample {k} has no rows {part}."
    ))
  }
  list(
    repeat_ = repeat_, fold = k, train = train, test = test,
    # A bootstrap sample contains rows several times.
    times = if (any(times > 1L)) as.double(times)
  )
}

say_small_classes <- function(class, k, levels) {
  if (is.null(class)) {
    return(invisible())
  }
  count <- tabulate(class, length(levels))
  small <- which(count > 0L & count < k)
  if (length(small)) {
    least <- small[which.min(count[small])]
    tec_inform("folds", c(i = paste(
      "Class {.val {levels[least]}} has {count[least]} row{?s} and there are {k} folds:",
      "some folds have no row of it."
    )))
  }
}

# A class that a fold's training rows lack cannot be predicted in that fold.
warn_lost_classes <- function(parts, used, class, levels) {
  if (is.null(class)) {
    return(invisible())
  }
  code <- integer(max(used))
  code[used] <- class
  all <- tabulate(class, length(levels)) > 0L
  lost <- lapply(parts, function(part) {
    which(all & tabulate(code[part$train], length(levels)) == 0L)
  })
  bad <- which(lengths(lost) > 0L)
  if (length(bad)) {
    first <- levels[lost[[bad[1L]]]]
    tec_warn("folds", c(
      "In {length(bad)} fold{?s} the training rows lack a class: it cannot be predicted there.",
      x = "The first is fold {bad[1L]}, without {.val {first}}."
    ))
  }
}

# `size` of the used rows, each class with its share of them (at least one row).
sample_rows <- function(size, used, class) {
  size <- check_fold_count(size, "sample", 2)
  n <- length(used)
  if (size >= n) {
    return(NULL)
  }
  order <- sample.int(n)
  if (is.null(class)) {
    return(sort(order[seq_len(size)]))
  }
  group <- match(class, sort(unique(class)))
  take <- class_shares_of(size, tabulate(group))
  order <- order[order(group[order])]
  rank <- sequence(tabulate(group))
  sort(order[rank <= take[group[order]]])
}

# Whole numbers proportional to `count` with the given sum, by largest remainders.
class_shares_of <- function(size, count) {
  exact <- size * count / sum(count)
  take <- pmax(1, floor(exact))
  left <- size - sum(take)
  if (left > 0) {
    more <- order(floor(exact) - exact)[seq_len(left)]
    take[more] <- take[more] + 1
  }
  pmin(take, count)
}
