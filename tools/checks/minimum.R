# What the code uses although it is newer than the minimum versions of DESCRIPTION:
#
#   Rscript tools/checks/minimum.R ROOT LIBRARY
#
# LIBRARY has packages in their minimum versions: they must export what R/ calls with `::`. For R
# and testthat, the NEWS of the installed version tells which functions and arguments are new.
# Prints the names. The exit status is 0 if there are none.
root <- commandArgs(TRUE)[1L]
oldest <- commandArgs(TRUE)[2L]
needs <- read.dcf(file.path(root, "DESCRIPTION"), c("Depends", "Imports", "Suggests"))
needs <- trimws(unlist(strsplit(needs, ",")))
minimum <- function(name) {
  need <- grep(paste0("^", name, " [(]>="), needs, value = TRUE)
  package_version(sub(".*>= *([0-9.]+).*", "\\1", need))
}

# One row per named argument of each call: package, function, argument. Packages and arguments may
# be "".
calls_in <- function(folder) {
  out <- list()
  walk <- function(x) {
    if (is.call(x)) {
      f <- as.character(x[[1L]])
      f <- if (is.name(x[[1L]])) c("", f) else if (f[1L] %in% c("::", ":::")) f[2:3]
      if (length(f)) out[[length(out) + 1L]] <<- cbind(f[1L], f[2L], c("", names(x)))
    }
    if (is.recursive(x)) for (part in as.list(x)) if (!missing(part)) walk(part)
  }
  for (file in list.files(file.path(root, folder), "[.]R$", full.names = TRUE, recursive = TRUE)) {
    parsed <- parse(file, keep.source = TRUE, encoding = "UTF-8")
    walk(parsed)
    pipes <- "PLACEHOLDER" %in% utils::getParseData(parsed)$token && minimum("R") < "4.2"
    if (pipes) out[[length(out) + 1L]] <- cbind("", "_ of pipes", "")
  }
  unique(do.call(rbind, out))
}

# New functions, and named arguments of `f()` that an entry about new arguments of `f()` mentions.
newer_names <- function(name, calls) {
  news <- as.data.frame(utils::news(package = name))
  news <- news[package_version(sub("[^0-9.].*", "", news$Version)) > minimum(name), ]
  entries <- gsub("\\s+", " ", unlist(strsplit(news$Text, "\n *\n")))
  all_of <- function(pattern, x) unlist(regmatches(x, gregexpr(pattern, x, perl = TRUE)))
  functions <- "[A-Za-z.][A-Za-z0-9._]*(?=[(])"
  new <- all_of("[Nn]ew ([a-z-]+ )*(([A-Za-z0-9._:]+[(][)](, and |, | and )?)+)", entries)
  found <- intersect(c("_ of pipes", all_of(functions, new)), calls[, 2L])
  for (entry in grep("\\bgains?\\b|\\bnew .*(argument|option)", entries, value = TRUE)) {
    gained <- sub("[.] .*", "", sub("^.*?\\b(gains?|new)\\b", "", entry, perl = TRUE))
    own <- calls[, 2L] %in% all_of(functions, entry) &
      calls[, 3L] %in% all_of("[A-Za-z][A-Za-z0-9._]*[A-Za-z0-9]", gained)
    found <- c(found, sprintf("%s(%s =)", calls[own, 2L], calls[own, 3L]))
  }
  found
}

code <- calls_in("R")
found <- c(newer_names("R", code), newer_names("testthat", calls_in("tests")))
for (name in dir(oldest)) {
  missed <- setdiff(code[code[, 1L] == name, 2L], parseNamespaceFile(name, oldest)$exports)
  found <- c(found, sprintf("%s::%s", rep(name, length(missed)), missed))
}
cat(sprintf("newer than the minimum of DESCRIPTION: %s\n", unique(found)), sep = "")
quit(status = as.integer(length(found) > 0L))
