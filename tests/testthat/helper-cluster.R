# Clusters of R processes, each with a part of a table.

# Two processes, made once, which find the packages that are found here.
cluster_of_two <- function() {
  if (is.null(engines$cluster)) {
    engines$cluster <- parallel::makeCluster(2)
    cl <- engines$cluster
    withr::defer(parallel::stopCluster(cl), the_end())
    parallel::clusterCall(cl, .libPaths, .libPaths())
  }
  engines$cluster
}

# Gives each worker its data frame, named `part`.
give_parts <- function(cl, parts) {
  give <- function(part) {
    assign("part", part, envir = globalenv())
    NULL
  }
  environment(give) <- globalenv() # that of this file would be sent, too
  parallel::clusterApply(cl, unname(parts), give)
  cl
}

# A table in two parts, whose factors have the levels that occur there, in an order of their own.
random_parts <- function(d) {
  side <- sample(1:2, nrow(d), TRUE, c(0.3, 0.7))
  made <- intersect(names(d)[vapply(d, is.character, NA)], sample(names(d), 3L))
  ordered <- stats::runif(1) < 0.5
  lapply(1:2, function(i) {
    part <- d[side == i, , drop = FALSE]
    for (name in made) {
      levels <- unique(part[[name]])
      levels <- levels[!is.na(levels)]
      part[[name]] <- factor(part[[name]], levels, ordered = ordered && name != "y")
    }
    # Whole numbers in one part, doubles in the other.
    if (i == 1L) part$w <- as.double(part$w)
    part
  })
}

# Whether the table of a seed, in two parts, grows the tree of all its rows, by a setting of
# same_settings(): list(same =, trees =).
compare_parts <- function(seed) {
  numbers <- seed %% 6 == 0
  settings <- same_settings()
  use <- settings_for(numbers, settings)
  setting <- settings[[use[(seed - 1L) %% length(use) + 1L]]]
  parts <- random_parts(same_table(seed, numbers))
  d <- do.call(rbind, parts)
  cl <- give_parts(cluster_of_two(), parts)
  rest <- draw_rest(numbers)
  here <- memory_tree(d, setting, rest)
  there <- stored_tree(cl, "part", d, setting, rest, list())
  list(same = is_same_tree(here, there, d), trees = list(here = here, there = there))
}
