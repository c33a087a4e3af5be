# Cases found by campaigns of random tests.
found <- list(
  "rotation forests" = 126L, # a component that is constant except for rounding
  "splines" = 683L, # two steps reduce the errors alike
  "splines: forward pass" = c(1193L, 1286L) # a hinge whose whole column does not enter
)

for (topic in names(ensemble_topics)) {
  test_that(paste("random problems agree with a naive implementation:", topic), {
    for (seed in case_seeds(4, also = found[[topic]])) at_seed(seed, {
      expect_identical(ensemble_topics[[topic]](seed), character())
    })
  })
}
