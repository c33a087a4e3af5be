test_that("the list of criteria is complete and consistent", {
  all <- tec_criteria()
  expect_s3_class(all, "data.frame")
  expect_setequal(all$name, c(
    "tsallis", "tsallis_ratio", "tsallis_mutual", "shannon", "gini", "gain_ratio",
    "cond_entropy", "cami", "cair", "effcami0", "effcami1", "beta", "l2", "l1",
    "chisq", "chisq_lr", "row_effects"
  ))
  expect_true(all(all$task %in% c("classification", "regression")))
  for (name in all$name) {
    criterion <- tec_criterion(name)
    expect_s3_class(criterion, "tec_criterion")
    expect_equal(core_criterion(criterion)$name, name)
  }
})

test_that("parameters are given by name", {
  expect_equal(tec_criterion("beta", beta = 1.7)$parameter, c(beta = 1.7))
  expect_equal(tec_criterion("tsallis")$parameter, c(q = 1))
  expect_equal(tec_criterion("gini")$parameter, numeric())
  expect_equal(tec_criterion(tec_criterion("tsallis", q = 3)), tec_criterion("tsallis", q = 3))
  expect_identical(core_criterion(tec_criterion("gini"))$parameter, NA_real_)
})

test_that("bad criteria are classed errors", {
  expect_snapshot(show_errors({
    tec_criterion("gni")
    tec_criterion("entropie")
    tec_criterion(3)
    tec_criterion("gini", q = 2)
    tec_criterion("beta", q = 2)
    tec_criterion("beta", 2)
    tec_criterion("beta", beta = 0)
    tec_criterion("beta", beta = -1)
    tec_criterion("beta", beta = NA)
    tec_criterion("beta", beta = "2")
    tec_criterion("tsallis", q = Inf)
  }))
  expect_error(tec_criterion("gni"), class = "tec_error_criterion")
  expect_error(tec_criterion("beta", beta = 0), class = "tec_error_criterion")
  expect_error(tec_criterion("tsallis", q = NA), class = "tec_error_q")
})

test_that("criteria print", {
  expect_equal(format(tec_criterion("tsallis", q = 1.5)), "tsallis, q = 1.5")
  expect_equal(format(tec_criterion("gini")), "gini")
  expect_output(print(tec_criterion("beta", beta = 2)), "beta = 2")
})

test_that("an object of the class alone is not a criterion", {
  for (bad in list(list(), list(name = 1), 3)) {
    bad <- structure(bad, class = "tec_criterion")
    expect_error(tec_criterion(bad), class = "tec_error_criterion")
    expect_error(tec_tree(Species ~ ., iris, criterion = bad), class = "tec_error_criterion")
    expect_error(
      tec_rotation(Species ~ ., iris, criterion = bad, trees = 2), class = "tec_error_criterion"
    )
  }
})

test_that("information criteria have bits, and only quantities with a unit show one", {
  expect_output(print(tec_criterion("information_gain")), "IG (bits)", fixed = TRUE)
  shannon <- tec_scores(Species ~ ., iris, criterion = "shannon")
  expect_identical(attr(shannon, "units"), "gain and score in bits")
  for (word in c("entropy", "information_gain", "infogain", "info_gain", "information")) {
    found <- tec_scores(Species ~ ., iris, criterion = word)
    expect_identical(attr(found, "units"), attr(shannon, "units"), info = word)
    expect_equal(found$gain, shannon$gain, info = word)
  }
  for (name in names(ratio_scores)) {
    expect_output(print(tec_criterion(name)), "no unit; gain in ", fixed = TRUE)
    scores <- tec_scores(Species ~ ., iris, criterion = name)
    expect_match(attr(scores, "units"), "score (no unit)", fixed = TRUE)
  }
  table <- tec_criteria()
  inform <- table$name %in% c(
    "shannon", "gain_ratio", "cond_entropy", "cami", "cair", "effcami0", "effcami1"
  )
  expect_identical(unique(table$units[inform]), "bits")
  # Half the classes known after a split of two even classes: one bit.
  d <- data.frame(y = factor(rep(1:2, each = 10)), x = 1:20)
  for (name in table$name[inform]) {
    expect_equal(tec_scores(y ~ x, d, criterion = name)$gain[1], 1, info = name)
  }
})

test_that("texts give the correct number of criteria", {
  words <- c("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
  right <- words[nrow(tec_criteria()) - 12L]
  news <- system.file("NEWS.md", package = "tectree")
  files <- Filter(file.exists, c(news, test_path("..", "..", "README.md")))
  texts <- c(utils::packageDescription("tectree")$Description, unlist(lapply(files, readLines)))
  text <- gsub("\\s+", " ", paste(texts, collapse = " "))
  number <- paste0("(", paste(words, collapse = "|"), ") (split )?criteria")
  said <- regmatches(text, gregexpr(number, text))
  expect_identical(unique(sub(" .*", "", said[[1]])), right)
})

test_that("a criterion without its task is an error", {
  bad <- structure(list(name = "gini"), class = "tec_criterion")
  expect_error(tec_criterion(bad), class = "tec_error_criterion")
})
