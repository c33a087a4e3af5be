# The number of test cases, and the seeds of random ones.
#
# TECTREE_CASES is the number of cases: 1 in the test command, 10 in `sh tools/test.sh full`, 1000
# in a campaign; on CRAN it is half of that in the test command. TECTREE_SEED is where the random
# cases start. The test command changes it with each commit, so that cases add up over time. A case
# that fails prints its seed, which is then added to the test: case_seeds(n, also = seed).

#' @srrstats {G5.10} `TECTREE_SLOW` and `TECTREE_CASES` switch on extended tests in the same files.
#' @srrstats {G5.12} tools/README.md and CONTRIBUTING.md say what they need and how long they take.
cases_asked <- function() {
  asked <- Sys.getenv("TECTREE_CASES")
  if (nzchar(asked)) as.numeric(asked) else as.numeric(identical(Sys.getenv("NOT_CRAN"), "true"))
}

# Whether all of the listed cases are taken.
all_cases <- function() cases_asked() >= 10

# The first line of a test that takes seconds: `sh tools/test.sh full` runs it, as do testthat's own
# functions; the shorter test commands (TECTREE_SLOW=no) and CRAN leave it out.
slow_test <- function() {
  skip_on_cran()
  skip_if(leaves_out_slow(), "slow: sh tools/test.sh full")
}

leaves_out_slow <- function() identical(Sys.getenv("TECTREE_SLOW"), "no")

# The first line of a test in a loop over `cases`: slow_test(), except for `few` of them. Which ones
# changes from commit to commit.
slow_out_of_turn <- function(case, cases, few) {
  if (!case %in% in_turn(cases, few)) slow_test()
}

# The size of a test: `few` in the shorter test commands, `all` where slow tests run.
fewer <- function(all, few) if (leaves_out_slow()) few else all

# How many random cases are taken where the test command takes `n`.
random_cases <- function(n) as.integer(max(1, round(n * max(cases_asked(), 0.5))))

# Their seeds, for at_seed(), after `from`. Those in `also` are always taken.
case_seeds <- function(n, also = integer(), from = 0L) {
  start <- as.integer(Sys.getenv("TECTREE_SEED", "0")) %% 100000L
  c(also, start * 20011L + from + seq_len(random_cases(n)))
}

# Evaluates `code` with random numbers from a seed, which a failure or an error of it names. `next`
# goes to the next case of the loop around it.
at_seed <- function(seed, code) {
  set.seed(seed)
  said <- paste0("\nThis random case: ", seed)
  withCallingHandlers(code,
    expectation_failure = function(e) {
      e$message <- paste0(e$message, said)
      testthat::exp_signal(e)
      invokeRestart("continue_test")
    },
    error = function(e) {
      if (!inherits(e, "expectation")) {
        e$message <- paste0(e$message, said)
        stop(e)
      }
    }
  )
}

# `few` of the cases in a list: the first, the last and some between.
some_of <- function(x, few) {
  if (all_cases() || length(x) <= few) x else x[unique(round(seq(1, length(x), length.out = few)))]
}

# `few` of the cases in a list, from commit to commit others (TECTREE_SEED), in their order.
in_turn <- function(x, few) {
  if (all_cases() || length(x) <= few) {
    return(x)
  }
  start <- as.integer(Sys.getenv("TECTREE_SEED", "0")) %% length(x)
  step <- length(x) / few
  x[sort((start + floor(step * (seq_len(few) - 1))) %% length(x)) + 1]
}
