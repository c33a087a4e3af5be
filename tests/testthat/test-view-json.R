test_that("JSON has scalars, arrays and objects", {
  expect_identical(json(list(a = 1L, b = I(2.5), c = NULL, d = TRUE)), '{"a":1,"b":[2.5],"d":true}')
  expect_identical(json(list(list(x = "a"), I(c(TRUE, NA)))), '[{"x":"a"},[true,null]]')
  expect_identical(json(I(character())), "[]")
  expect_identical(json(list()), "[]")
})

test_that("numbers are the same after a reader", {
  skip_if_not_installed("jsonlite")
  set.seed(1)
  x <- c(0.1 + 0.2, 1 / 3, 1e-300, -1.7e308, 5e-324, 123456789, 0, stats::rnorm(100))
  expect_identical(jsonlite::fromJSON(json(I(x))), x)
  expect_identical(json(c(NA, Inf, -Inf, NaN)), "[null,1e999,-1e999,null]")
  expect_identical(json(c(1L, NA, 100000L)), "[1,null,100000]")
})

test_that("strings are the same after a reader, and no sign of HTML is left", {
  skip_if_not_installed("jsonlite")
  x <- c(
    "plain", "a \"quote\"", "back\\slash \\u003c", "new\nline\ttab\001", "</script><!--",
    "a & b > c",     "\u00fcml\u00e4ut", "\U0001f333", "line\u2028end", ""
  )
  out <- json(I(x))
  expect_identical(jsonlite::fromJSON(out), x)
  expect_no_match(out, "[<>&]")
  latin <- iconv("\u00fc", "UTF-8", "latin1")
  expect_identical(json(latin), "\"\u00fc\"")
  expect_identical(json("a\xffb"), "\"a\\u003cff\\u003eb\"")
})
