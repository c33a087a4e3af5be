# Uses of CHAID trees after growth: branches of merged levels, of several intervals, of either with
# missing values, and of missing values alone.

# Grown once.
chaid_trees <- local({
  cases <- NULL
  function() cases <<- cases %||% grow_chaid_trees()
})

grow_chaid_trees <- function() {
  set.seed(11)
  d <- export_data(400)
  gaps <- with_gaps(d)
  rows <- export_data(200)
  grow <- function(y, ...) suppressWarnings(tec_tree(x = gaps, y = y, preset = "chaid", ...))
  classes <- export_response(d, c("lo", "mid", "hi"))
  numbers <- export_response(d, NULL) + 4 * is.na(gaps[[2L]])
  fits <- list(
    classes = grow(classes),
    exhaustive = grow(classes, rules = "chaid_exhaustive", criterion = "chisq_lr"),
    ordered = grow(factor(classes, c("lo", "mid", "hi"), ordered = TRUE)),
    numbers = grow(numbers, alpha_merge = 0.3), majority = grow(classes, missing = "majority")
  )
  cases <- lapply(fits, function(fit) {
    set.seed(12)
    list(fit = fit, rows = export_rows(fit, rows))
  })
  lonely <- lonely_data()
  cases$lonely <- list(
    fit = tec_tree(y ~ ., lonely, preset = "chaid"), rows = with_gaps(lonely[c("a", "o", "x", "u")])
  )
  cases
}

test_that("the trees have the branches that these tests are about", {
  cases <- chaid_trees()
  rules <- unlist(lapply(cases, function(case) as.data.frame(case$fit)$rule))
  # Merged levels, intervals, and missing values among them and alone.
  for (text in c("\\{.*,.*\\}|in .*,| or ", "missing", "is missing$")) {
    expect_match(rules, text, all = FALSE)
  }
  branches <- unlist(lapply(cases, function(case) case$fit$tree$n_children))
  expect_gt(max(branches), 2L)
})

languages <- c(
  r = "Rscript", c = "cc", python = "python3", javascript = "node", json_python = "python3",
  json_javascript = "node", json = "Rscript"
)
for (target in names(languages)) {
  test_that(paste("what leaves R predicts what predict() does:", target), {
    slow_out_of_turn(target, names(languages), 3)
    skip_if_not(nzchar(Sys.which(languages[[target]])), paste("no", languages[[target]], "here"))
    cases <- some_of(chaid_trees(), if (target == "r") 6 else 2)
    for (name in names(cases)) expect_export(cases[[name]], target, paste(target, name))
  })
}

test_that("SQL predicts what predict() does", {
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  cases <- chaid_trees()
  for (name in names(cases)) {
    expect_export(cases[[name]], con, name)
    expect_export(cases[[name]], con, paste(name, "null"), "null")
  }
})

test_that("PMML and ONNX predict what predict() does", {
  cases <- chaid_trees()
  for (name in names(cases)) {
    model <- tec_onnx(cases[[name]]$fit)
    expect_type(model, "raw")
    expect_gt(length(model), 100L)
  }
  if (requireNamespace("xml2", quietly = TRUE)) {
    for (name in names(cases)) {
      expect_export(cases[[name]], pmml_target(tec_pmml(cases[[name]]$fit)), name)
    }
  }
  node_path()
  for (name in names(some_of(cases, 2))) expect_export(cases[[name]], "onnx", name)
})

test_that("JSON keeps the tests, and the tree", {
  for (case in chaid_trees()) {
    back <- tec_from_json(tec_json(case$fit))
    for (part in c("parent", "kind", "variable", "weight", "breaks", "child", "test")) {
      expect_equal(back$tree[[part]], case$fit$tree[[part]], label = part)
    }
    suppressWarnings(expect_identical(predict(back, case$rows), predict(case$fit, case$rows)))
  }
})

test_that("partykit gets trees that it can represent", {
  skip_if_not_installed("partykit")
  cases <- chaid_trees()
  expect_error(partykit::as.party(cases$lonely$fit), class = "tec_error_export")
  held <- tec_tree(Species ~ ., iris, preset = "chaid")
  party <- partykit::as.party(held)
  expect_identical(
    unname(predict(party, iris, type = "node")), unname(predict(held, iris, type = "node"))
  )
})

test_that("pictures are drawn without a warning", {
  slow_test()
  withr::local_pdf(NULL)
  cases <- chaid_trees()
  for (i in seq_along(cases)) {
    show <- if (i %% 2L == 0L) "test"
    suppressMessages(expect_no_warning(plot(cases[[i]]$fit, show = show)))
  }
  skip_if_not_installed("ggplot2")
  for (case in cases[c("classes", "numbers", "lonely")]) {
    suppressMessages(expect_no_warning(print(ggplot2::autoplot(case$fit))))
  }
})

test_that("every type of prediction, rules and explanations agree", {
  for (case in chaid_trees()) {
    fit <- case$fit
    rows <- case$rows[1:40, ]
    node <- suppressWarnings(predict(fit, rows, type = "node"))
    value <- suppressWarnings(predict(fit, rows))
    if (is.factor(value)) {
      prob <- suppressWarnings(predict(fit, rows, type = "prob"))
      expect_equal(rowSums(prob), rep(1, 40), ignore_attr = TRUE)
      best <- prob[cbind(seq_along(value), match(as.character(value), colnames(prob)))]
      expect_equal(unname(best), unname(apply(prob, 1L, max)))
    }
    rules <- tec_rules(fit)
    expect_true(all(node %in% rules$node))
    expect_identical(nrow(rules), sum(fit$tree$kind == 0L))
    for (i in c(1, 20, 40)) {
      said <- suppressWarnings(explain(fit, rows[i, ]))
      expect_identical(as.integer(said$leaf), as.integer(node[i]))
      expect_output(print(said))
    }
  }
})

test_that("trees are pruned and grown again", {
  for (case in chaid_trees()) {
    fit <- case$fit
    # A node that is left keeps its test.
    pruned <- tec_prune(fit, node = 2)
    kept <- setdiff(seq_along(fit$tree$kind), 1 + seq_len(subtree_end(fit$tree, 2L) - 1))
    expect_equal(pruned$tree$test[-2, ], fit$tree$test[kept, ], ignore_attr = TRUE)
    expect_identical(is.na(split_tests(pruned$tree)$p), c(pruned$tree$kind == 0L))
    expect_lte(length(tec_prune(fit, cp = 0.05)$tree$kind), length(fit$tree$kind))
  }
  fit <- tec_tree(Species ~ ., iris, preset = "chaid")
  strict <- update(fit, alpha_split = 1e-300)
  expect_length(strict$tree$kind, 1L)
  expect_identical(update(strict, alpha_split = 0.05)$tree, fit$tree)
})
