# tec_mars() against earth on real data, degrees 1 and 2, one thread: compares the terms of the forward pass, the terms
# that are kept and the GCV, and the times of alternating whole calls.
#
#   Rscript bench/mars.R [--lib=DIR] [--data=DIR] [--sets=pima,wine] [--times=3]
#
# The response is the class, or the first numeric column if the name ends with ":number". Rows with missing values are
# left out. Both get a matrix without factors, so only the fit is timed.
args <- commandArgs(trailingOnly = TRUE)
given <- function(name, default) {
  value <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), args, value = TRUE))
  if (length(value)) value[[1L]] else default
}
library(tectree, lib.loc = given("lib", NULL))
suppressPackageStartupMessages(library(earth))
folder <- given("data", "../shared/data/uci")
manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
times <- as.integer(given("times", "3"))

read_set <- function(name) {
  about <- manifest[manifest$name == name, ]
  data <- read.csv(file.path(folder, about$file), stringsAsFactors = TRUE, na.strings = "")
  names(data)[names(data) == about$class_column] <- "class"
  data$class <- factor(data$class)
  for (column in strsplit(about$nominal_columns, ";")[[1L]]) {
    if (column %in% names(data)) data[[column]] <- factor(data[[column]])
  }
  droplevels(na.omit(data))
}
problem <- function(set) {
  data <- read_set(sub(":number$", "", set))
  at <- if (endsWith(set, ":number")) which(vapply(data, is.numeric, NA))[1L] else match("class", names(data))
  list(x = model.matrix(~., data[-at])[, -1L, drop = FALSE], y = data[[at]])
}
seconds <- function(call) {
  gc(FALSE)
  start <- proc.time()
  force(call)
  (proc.time() - start)[[1L]] # of the processor: the machine may be shared
}

default <- c(
  "pima", "heart_statlog", "credit_approval", "glass", "wine", "vehicle", "segment", "yeast", "ionosphere", "sonar",
  "page_blocks", "breast_w", "haberman", "car", "cmc", "spambase", "waveform21", "wine:number", "vehicle:number",
  "cmc:number", "abalone:number", "segment:number"
)
sets <- strsplit(given("sets", paste(default, collapse = ",")), ",")[[1L]]
rows <- list()
for (set in sets) {
  d <- problem(set)
  frame <- as.data.frame(d$x)
  for (degree in 1:2) {
    ours <- function() suppressWarnings(tec_mars(frame, d$y, degree = degree, threads = 1))
    theirs <- function() earth(d$x, d$y, degree = degree)
    # earth with its logistic regressions, which tec_mars() always fits.
    glm <- function() suppressWarnings(earth(d$x, d$y, degree = degree, glm = list(family = binomial)))
    a <- ours()
    b <- theirs()
    calls <- list(ours, theirs, if (is.factor(d$y)) glm)
    runs <- replicate(times, vapply(calls, function(f) if (is.null(f)) NA_real_ else seconds(f()), 0))
    runs <- apply(runs, 1L, median)
    rows[[length(rows) + 1L]] <- data.frame(
      set = set, degree = degree, rows = nrow(d$x), columns = ncol(d$x), terms = nrow(a$side),
      same_terms = identical(dim(a$side), dim(b$dirs)) && all(a$side == b$dirs) &&
        isTRUE(all.equal(a$cut, b$cuts, check.attributes = FALSE, tolerance = 1e-12)),
      same_kept = setequal(a$selected, b$selected.terms), gcv = abs(a$gcv - b$gcv) / b$gcv,
      ours = runs[1L], earth = runs[2L], earth_glm = runs[3L]
    )
    print(rows[[length(rows)]], row.names = FALSE)
  }
}
all <- do.call(rbind, rows)
cat("\nsame terms:", sum(all$same_terms), "of", nrow(all), "; same kept:", sum(all$same_kept), "; largest GCV difference:",
  format(max(all$gcv), digits = 2), "\n")
ratio <- all$earth / all$ours
cat("seconds in all: ours", sum(all$ours), "earth", sum(all$earth), "; median of earth / ours",
  format(median(ratio[all$earth > 0.02]), digits = 3), "\n")
