# Prints by how many bytes a fit raises the peak of this process above what it
# holds with the data: files of X and y, rows, columns, depth, threads. Started by
# run.R in a process of its own.

args <- commandArgs(trailingOnly = TRUE)
n <- as.integer(args[[3L]])
p <- as.integer(args[[4L]])

# The columns are read into their final place: garbage here would be room that the
# fit could use unseen.
con <- file(args[[1L]], "rb")
columns <- vector("list", p + 1L)
columns[[1L]] <- structure(
  readBin(args[[2L]], "integer", n),
  levels = c("A", "B"), class = "factor"
)
for (j in seq_len(p)) {
  columns[[j + 1L]] <- readBin(con, "double", n)
}
close(con)
names(columns) <- c("y", sprintf("x%02d", seq_len(p)))
data <- structure(columns, row.names = .set_row_names(n), class = "data.frame")
rm(columns)

status <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  1024 * as.double(gsub("[^0-9]", "", line))
}

fit <- function(data) {
  tectree::tec_tree(
    y ~ ., data,
    criterion = "gini", min_bucket = 1, min_split = 2, max_depth = as.double(args[[5L]]),
    prune = "none", threads = as.integer(args[[6L]])
  )
}

# The code is loaded, the threads are there.
small <- fit(structure(
  lapply(data, head, 1000L),
  row.names = .set_row_names(min(n, 1000L)), class = "data.frame"
))
invisible(gc())
# Forgets the peak so far, where that is allowed. Where it is not, an older peak
# can only make the result larger.
try(suppressWarnings(writeLines("5", "/proc/self/clear_refs")), silent = TRUE)
before <- status("VmRSS")
tree <- fit(data)
cat(status("VmHWM") - before, "\n")
