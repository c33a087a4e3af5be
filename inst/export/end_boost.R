  # By tree: the sum that it adds to, or its vote; the initial sums.
  output <- c(@OUTPUT@)
  vote <- c(@VOTE@)
  base <- c(@BASE@)

  function(data) {
    x <- lapply(seq_along(inputs), function(i) read(data, i))
    n <- nrow(data)
    link <- matrix(rep(base, each = n), n, length(base))
    for (tree in seq_along(start)) {
      said <- walk(x, seq_len(n), rep(1, n), start[tree], matrix(0, n, ncol(score)))
      if (!by_votes) {
        link[, output[tree]] <- link[, output[tree]] + said[, 1]
      } else if (n) {
        at <- cbind(seq_len(n), chosen(said))
        link[at] <- link[at] + vote[tree]
      }
    }
    # The only sum of two classes is that of the second; the first has 0.
    sums <- if (ncol(link) == 1) cbind(numeric(n), link) else link
    class <- if (n) max.col(sums, ties.method = "first") else integer()
    odds <- exp((sums - sums[cbind(seq_len(n), class)]) / @SCALE@)
    prob <- odds / rowSums(odds)
    colnames(prob) <- classes
    if (ncol(link) == 1) link <- link[, 1] else colnames(link) <- classes
    list(response = factor(classes[class], classes), prob = prob, link = link)
  }
})
