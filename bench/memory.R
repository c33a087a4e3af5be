# Prints by how many bytes a fit raises the peak of this process above its memory
# with the data. Arguments: files of X and y, rows, columns, depth, threads.
# Started by run.R in a separate process.

args <- commandArgs(trailingOnly = TRUE)
n <- as.integer(args[[3L]])
p <- as.integer(args[[4L]])

# The columns are read into their final place: garbage would be memory that the
# fit could use unnoticed.
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

# Loads the code and starts the threads.
small <- fit(structure(
  lapply(data, head, 1000L),
  row.names = .set_row_names(min(n, 1000L)), class = "data.frame"
))
invisible(gc())
# Resets the peak, if that is allowed. Otherwise an older peak can only make the
# result larger.
try(suppressWarnings(writeLines("5", "/proc/self/clear_refs")), silent = TRUE)
before <- status("VmRSS")
tree <- fit(data)
cat(status("VmHWM") - before, "\n")
