for (topic in names(ensemble_topics)) {
  test_that(paste("random problems agree with a naive implementation:", topic), {
    for (seed in seq_len(random_cases(20))) {
      expect_identical(ensemble_topics[[topic]](seed), character(), info = paste("seed", seed))
    }
  })
}
