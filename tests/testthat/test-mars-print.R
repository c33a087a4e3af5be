test_that("a fit prints as a formula", {
  d <- transform(mtcars, cyl = factor(cyl), day = as.Date("2020-01-01") + 0:31)
  d$big <- factor(d$mpg > 20, labels = c("no", "yes"))
  d$size <- cut(d$hp, c(0, 100, 150, 400), c("s", "m", "l"))
  d$mpg <- round(d$mpg)
  expect_snapshot({
    tec_mars(mpg ~ cyl + wt + day, d, degree = 2)
    tec_mars(big ~ qsec + drat, d)
    print(tec_mars(size ~ qsec + disp + cyl, d), width = 60)
    tec_mars(mpg ~ 1 + carb, d, thresh = 0.9)
    summary(tec_mars(mpg ~ wt + hp, d), d)
    summary(tec_mars(big ~ qsec + drat, d), d)
  })
})

test_that("every end of the forward pass has its text", {
  said <- function(end) mars_end_text(list(settings = list(terms = 5, thresh = 0.25), end = end))
  expect_match(said(1L), "at 5 terms")
  expect_match(said(3L), "rise by less than 0.25", fixed = TRUE)
  expect_match(said(4L), "R squared reached 0.75.", fixed = TRUE)
  expect_match(said(NULL), "not known")
})
