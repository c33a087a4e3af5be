# A decision tree, written by the R package tectree. @NAME@(data) takes a data frame and returns a
# list of node, response and prob (a matrix). It needs only base R. Numbers, dates, times, factors,
# text and logicals are used as they are; time differences in the units of training.
@NAME@ <- local({
  inputs <- c(@INPUTS@)
  needed <- c(@NEEDED@)
  levels <- list(@LEVELS@)
  classes <- c(@CLASSES@)
  # By node: its class, its shares (or its number), and the parts in which a row continues.
  value <- c(@VALUE@)
  score <- matrix(c(@SCORE@), ncol = @SCORES@, byrow = TRUE)
  parts <- list(@PARTS@)
  aims <- matrix(c(@AIM@), ncol = @SCORES@, byrow = TRUE)
  # The next node of each: itself if the row ends, 0 if it continues in parts.
  steps <- list(
@NEXT@
  )

  read <- function(data, i) {
    if (!inputs[i] %in% names(data)) {
      if (needed[i]) stop("no column ", inputs[i])
      return(rep(NA_real_, nrow(data)))
    }
    x <- data[[inputs[i]]]
    if (is.null(levels[[i]])) as.numeric(x) else match(as.character(x), levels[[i]])
  }

  function(data) {
    x <- lapply(seq_along(inputs), function(i) read(data, i))
    names(x) <- if (length(x)) paste0("x", seq_along(x))
    n <- nrow(data)
    end <- list(row = integer(), node = integer(), part = numeric())
    at <- list(row = seq_len(n), node = rep(1L, n), part = rep(1, n))
    while (length(at$row)) {
      to <- at$node
      for (node in unique(at$node[at$node <= length(steps)])) {
        here <- which(at$node == node)
        if (is.null(steps[[node]])) next
        to[here] <- steps[[node]](lapply(x, `[`, at$row[here]), length(here))
      }
      done <- to == at$node
      end <- Map(c, end, lapply(at, `[`, done))
      shared <- lapply(which(to == 0), function(k) {
        p <- parts[[at$node[k]]]
        list(row = rep(at$row[k], length(p[[1]])), node = p[[1]], part = at$part[k] * p[[2]])
      })
      on <- to != 0 & !done
      at <- Reduce(function(a, b) Map(c, a, b), shared,
        list(row = at$row[on], node = to[on], part = at$part[on]))
    }
    end <- lapply(end, `[`, order(end$row, end$node))
    best <- numeric(n)
    node <- integer(n)
    for (k in seq_along(end$row)) {
      row <- end$row[k]
      if (end$part[k] > best[row] * (1 + 1e-12)) {
        best[row] <- end$part[k]
        node[row] <- end$node[k]
      }
    }
    sum <- unname(rowsum(score[end$node, , drop = FALSE] * end$part, end$row))
    if (is.null(classes)) return(list(node = node, response = sum[, 1], prob = NULL))
    several <- which(tabulate(end$row, n) > 1)
    class <- value[node]
    if (length(several)) {
      sum[several, ] <- sum[several, , drop = FALSE] / rowSums(sum[several, , drop = FALSE])
      aim <- sum[several, , drop = FALSE] %*% aims
      good <- aim >= apply(aim, 1, max) * (@MARGIN@)
      class[several] <- max.col(good, ties.method = "first")
    }
    colnames(sum) <- classes
    list(node = node, response = factor(classes[class], classes), prob = sum)
  }
})
