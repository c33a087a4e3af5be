  function(data) {
    x <- lapply(seq_along(inputs), function(i) read(data, i))
    n <- nrow(data)
    prob <- votes <- matrix(0, n, ncol(score))
    for (tree in start) {
      said <- walk(x, seq_len(n), rep(1, n), tree, matrix(0, n, ncol(score)))
      prob <- prob + said
      if (length(classes) && n) {
        at <- cbind(seq_len(n), chosen(said))
        votes[at] <- votes[at] + 1
      }
    }
    prob <- prob / length(start)
    votes <- votes / length(start)
    if (is.null(classes)) return(list(response = prob[, 1], prob = NULL, votes = NULL))
    class <- if (!n) integer() else if (by_votes) {
      first_best(votes, 1 - 1e-12)
    } else {
      chosen(prob)
    }
    colnames(prob) <- colnames(votes) <- classes
    list(response = factor(classes[class], classes), prob = prob, votes = votes)
  }
})
