# A small part of the published tables is grown again and must give what is shipped.

replication_folder <- function() {
  folder <- system.file("replication", package = "tectree")
  if (!nzchar(folder)) folder <- testthat::test_path("..", "..", "inst", "replication")
  normalizePath(folder, mustWork = FALSE)
}

replication_functions <- function(script) {
  env <- new.env()
  withr::with_dir(replication_folder(), withr::with_options(
    list(tectree.replication.functions = TRUE),
    sys.source(script, env)
  ))
  env
}

shipped_results <- function(name) {
  utils::read.csv(file.path(replication_folder(), "results", name), check.names = FALSE)
}

test_that("a part of table II gives the shipped figures", {
  skip_on_cran()
  folder <- dirname(skip_without_shared_data())
  table2 <- replication_functions("table2.R")
  shipped <- shipped_results("table2_runs.csv")
  for (name in c("wine", "hayes_roth", "monks3")) {
    for (coding in c("ordered", "binary")) {
      job <- list(dataset = name, coding = coding, repeat_ = 2L)
      again <- table2$run_repeat(job, folder)
      rows <- shipped[shipped$dataset == name & shipped$coding == coding, ]
      rows <- rows[rows[["repeat"]] == 2, ]
      expect_equal(again$accuracy, rows$accuracy, tolerance = 1e-5)
      expect_equal(again$nodes, rows$nodes)
      expect_equal(again$q, rows$q)
      expect_equal(again$criterion, rows$criterion)
    }
  }
})

test_that("the shipped means and tests follow from the shipped trees", {
  folder <- dirname(skip_without_shared_data())
  table2 <- replication_functions("table2.R")
  paper <- utils::read.csv(file.path(folder, "tables", "tec_table2.csv"))
  runs <- shipped_results("table2_runs.csv")
  table <- table2$compare_with_paper(runs, paper)
  expect_equal(table, shipped_results("table2.csv"), ignore_attr = TRUE, tolerance = 1e-5)
  tests <- table2$wilcoxon_tests(table, paper)
  expect_equal(tests, shipped_results("table2_tests.csv"), ignore_attr = TRUE, tolerance = 1e-4)
  # The paper's own figures give the significance that it claims for the first two.
  own <- tests[tests$coding == "paper", ]
  expect_true(all(own$p[1:2] < 0.01))
})
