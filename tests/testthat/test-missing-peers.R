# `missing = "surrogate"` against rpart: splits, surrogates and predictions, on data sets with missing
# values of their own and with holes made at random.

surrogate_fit <- function(data, criterion, ...) {
  tec_tree(class ~ ., data,
    criterion = criterion, preset = "cart", min_bucket = 7, min_split = 20, max_depth = 30,
    prune = "none", threads = 1, ...
  )
}

# rpart's own na.action leaves out rows without any predictor.
rpart_fit <- function(data, method, use = 2, style = 0, most = 100) {
  rpart::rpart(class ~ ., data,
    method = method, na.action = stats::na.pass,
    control = rpart::rpart.control(
      minsplit = 20, minbucket = 7, cp = -1, maxdepth = 30, maxcompete = 0,
      maxsurrogate = most, usesurrogate = use, surrogatestyle = style, xval = 0
    )
  )
}

# One line a node of rpart: its primary split and its surrogates, by node number.
rpart_splits <- function(fit) {
  frame <- fit$frame
  inner <- which(frame$var != "<leaf>")
  at <- cumsum(c(1, (frame$ncompete + frame$nsurrogate + 1)[inner]))
  lapply(stats::setNames(seq_along(inner), rownames(frame)[inner]), function(i) {
    rows <- at[i] + seq_len(frame$nsurrogate[inner[i]])
    list(
      variable = as.character(frame$var[inner[i]]), improve = fit$splits[at[i], "improve"],
      n = frame$n[inner[i]],
      surrogate = rownames(fit$splits)[rows], agree = unname(fit$splits[rows, "improve"]),
      adj = unname(fit$splits[rows, "adj"])
    )
  })
}

# rpart means to leave out surrogates by levels that send fewer than two rows to a side; what it counts are
# the rows sent wrongly (and rightly), so that it leaves out those with fewer than two errors.
rpart_leaves_out <- function(surrogates, primary, rows, style) {
  vapply(seq_len(nrow(surrogates)), function(i) {
    x <- rows[[surrogates$variable[i]]]
    if (!is.factor(x) || is.ordered(x)) {
      return(FALSE)
    }
    known <- !is.na(rows[[primary]])
    both <- known & !is.na(x)
    right <- surrogates$agree[i] * sum(if (style == 1) both else known)
    sum(both) - right < 1.5
  }, NA)
}

# The training rows in each node.
rows_inside <- function(fit, data) {
  paths <- lapply(predict(fit, data, type = "path"), `[[`, "node")
  split(
    rep(seq_along(paths), lengths(paths)),
    factor(unlist(paths), levels = seq_along(fit$tree$parent))
  )
}

# Walks both trees from the root; what differs in words. Where the primaries differ the gains must tie, and
# the walk ends there. rpart's left child may be our second.
compare_with_rpart <- function(ours, theirs, data, style) {
  splits <- rpart_splits(theirs)
  nodes <- as.data.frame(ours)
  mine <- tectree:::surrogates_of(ours)
  inside <- rows_inside(ours, data)
  wrong <- character()
  ties <- 0
  compared <- 0
  todo <- list(c(1, 1))
  while (length(todo)) {
    id <- todo[[1]][1]
    node <- todo[[1]][2]
    todo <- todo[-1]
    split <- splits[[as.character(id)]]
    leaf <- nodes$kind[node] == "leaf"
    if (is.null(split) && leaf) next
    # A gain of rpart's is a sum over rows for gini, a share of the node's variance for anova.
    theirs_gain <- if (is.null(split)) {
      0
    } else if (theirs$method == "anova") {
      split$improve * nodes$impurity[node]
    } else {
      split$improve / nodes$n[node]
    }
    our_gain <- if (leaf) 0 else nodes$gain[node]
    if (abs(our_gain - theirs_gain) > 1e-7 * max(nodes$impurity[node], 1e-300)) {
      # Levels with equal class shares stand in either order, and with a min_bucket one order may hold a
      # better cut.
      if (our_gain > theirs_gain && nodes$kind[node] == "subset") {
        ties <- ties + 1
      } else {
        wrong <- c(wrong, paste("gain of node", node, our_gain, theirs_gain))
      }
      next
    }
    children <- nodes$node[nodes$parent == node]
    sizes <- theirs$frame$n[match(c(2 * id, 2 * id + 1), rownames(theirs$frame))]
    s <- mine[mine$node == node, ]
    quirk <- rpart_leaves_out(s, nodes$variable[node], data[inside[[node]], ], style)
    s <- s[!quirk, ]
    same <- !leaf && !is.null(split) && split$variable == nodes$variable[node] &&
      (identical(nodes$n[children], as.double(sizes)) ||
        identical(nodes$n[rev(children)], as.double(sizes)))
    if (!same) {
      ties <- ties + 1
      next
    }
    compared <- compared + 1
    if (!isTRUE(all.equal(s$agree, split$agree, tolerance = 1e-9))) {
      wrong <- c(wrong, paste("agreement of node", node, toString(s$agree), toString(split$agree)))
    } else if (!identical(s$variable, split$surrogate)) {
      # The order among equal agreements, and who is last, is the columns' in both.
      wrong <- c(wrong, paste("surrogates of node", node))
    } else if (!isTRUE(all.equal(s$adj, split$adj, tolerance = 1e-9))) {
      wrong <- c(wrong, paste("adj of node", node))
    }
    if (sizes[1] == sizes[2] || (any(quirk) && anyNA(data[[split$variable]][inside[[node]]]))) {
      # Either order fits; or rows without a value go where the surrogate left out would not send them.
      ties <- ties + 1
      next
    }
    if (!identical(nodes$n[children], as.double(sizes))) children <- rev(children)
    todo <- c(todo, list(c(2 * id, children[1]), c(2 * id + 1, children[2])))
  }
  list(wrong = wrong, ties = ties, compared = compared)
}

make_holes <- function(data, share) {
  for (name in setdiff(names(data), "class")) {
    data[[name]][stats::runif(nrow(data)) < share] <- NA
  }
  data
}


complete_sets <- c(
  "iris", "wine", "glass", "vehicle", "sonar", "pima", "ionosphere", "heart_statlog"
)
holed_sets <- c(
  "breast_cancer", "breast_w", "credit_approval", "hepatitis", "house_votes_84", "labor", "titanic",
  "mushroom", "sick"
)

# The first numeric column is the response.
as_number_problem <- function(data) {
  name <- names(data)[which(vapply(data, is.numeric, NA))[1]]
  data$class <- data[[name]]
  data[[name]] <- NULL
  data[!is.na(data$class), ]
}

# Differences between the two trees in words; predictions are compared where nothing tied.
expect_rpart <- function(data, method, label, use = 2, style = 0) {
  criterion <- if (method == "class") "gini" else "l2"
  ours <- surrogate_fit(
    data, criterion,
    max_surrogate = 100, use_surrogate = use, surrogate_style = style
  )
  theirs <- rpart_fit(data, method, use, style)
  found <- compare_with_rpart(ours, theirs, data, style)
  type <- if (method == "class") "prob" else "response"
  if (found$ties == 0) {
    difference <- as.matrix(predict(ours, data, type = type)) - as.matrix(stats::predict(theirs, data))
    found$wrong <- c(found$wrong, if (any(abs(difference) > 1e-8)) "predictions")
  }
  expect_identical(c(label, found$wrong), label)
  found
}

expect_rpart_sets <- function(names, shares, methods = c("class", "anova"), ...) {
  folder <- skip_without_shared_data()
  untied <- compared <- 0
  for (name in names) {
    for (share in shares) {
      data <- make_holes(read_shared(folder, name), share)
      for (method in methods) {
        if (method == "anova" && !any(vapply(data, is.numeric, NA))) next
        use <- if (method == "anova") as_number_problem(data) else data
        label <- paste0(name, ", ", method, ", ", 100 * share, " % holes")
        found <- expect_rpart(use, method, label, ...)
        untied <- untied + (found$ties == 0)
        compared <- compared + found$compared
      }
    }
  }
  c(untied = untied, compared = compared)
}

test_that("surrogates, splits and predictions are rpart's on data with holes", {
  skip_if_not_installed("rpart")
  set.seed(311)
  found <- expect_rpart_sets(complete_sets, c(0, 0.1, 0.3))
  expect_gte(found[["untied"]], 20)
})

test_that("they are on data with missing values of their own", {
  skip_if_not_installed("rpart")
  set.seed(312)
  found <- expect_rpart_sets(holed_sets, 0)
  expect_gte(found[["untied"]], 5)
})

test_that("the other styles and uses of surrogates are rpart's", {
  skip_if_not_installed("rpart")
  set.seed(313)
  for (use in 0:2) {
    found <- expect_rpart_sets(c("wine", "sonar", "heart_statlog"), 0.2, use = use, style = 1)
    expect_gte(found[["untied"]], 3)
  }
})
