test_that("settings are checked", {
  expect_s3_class(tec_engine(), "tec_engine")
  expect_snapshot(error = TRUE, {
    tec_engine(collect_rows = -1)
    tec_engine(max_values = "many")
    tec_engine(exact = "sure")
    tec_engine(strategy = "grup")
    tec_engine(checkpoint = 3)
    tec_engine(progress = NA)
    tec_passes(3)
  })
  expect_output(print(tec_engine(key = "id")), "key")
})
