# test-rotation-fit.R has rotation forests: here a component may be constant except for rounding, on
# which the naive tree splits otherwise.
for (topic in setdiff(names(ensemble_topics), "rotation forests")) {
  test_that(paste("random problems agree with a naive implementation:", topic), {
    for (seed in case_seeds(4)) at_seed(seed, {
      expect_identical(ensemble_topics[[topic]](seed), character())
    })
  })
}
