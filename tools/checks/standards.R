# Every standard of rOpenSci for statistical software (version 0.2.0: general, machine learning,
# regression) has a tag of the package srr, in R/ or in tests/testthat/:
#
#   @srrstats {G1.0} how it is met here         in the file that meets it
#   @srrstatsNA {ML2.1} why it does not apply   in R/srr-standards.R
#   @srrstatsTODO {RE3.0} what is missing       in R/srr-standards.R
#
#   Rscript tools/checks/standards.R            counts, faults, and the number of both
#   Rscript tools/checks/standards.R --list     every standard with the files of its tags
#   Rscript tools/checks/standards.R --planted  removes and adds tags, which must be seen
#
# The texts: https://stats-devguide.ropensci.org/standards.html

numbers <- list(
  G = "1.0 1.1 1.2 1.3 1.4 1.4a 1.5 1.6 2.0 2.0a 2.1 2.1a 2.2 2.3 2.3a 2.3b 2.4 2.4a 2.4b 2.4c 2.4d
    2.4e 2.5 2.6 2.7 2.8 2.9 2.10 2.11 2.12 2.13 2.14 2.14a 2.14b 2.14c 2.15 2.16 3.0 3.1 3.1a 4.0
    5.0 5.1 5.2 5.2a 5.2b 5.3 5.4 5.4a 5.4b 5.4c 5.5 5.6 5.6a 5.6b 5.7 5.8 5.8a 5.8b 5.8c 5.8d 5.9
    5.9a 5.9b 5.10 5.11 5.11a 5.12",
  ML = "1.0 1.0a 1.1 1.1a 1.1b 1.2 1.3 1.4 1.5 1.6 1.6a 1.6b 1.7 1.7a 1.7b 1.8 2.0 2.0a 2.0b 2.1
    2.2 2.2a 2.2b 2.3 2.4 2.5 2.6 2.7 3.0 3.0a 3.0b 3.0c 3.0d 3.1 3.2 3.3 3.4 3.4a 3.4b 3.5 3.5a
    3.5b 3.6 3.6a 3.6b 3.7 4.0 4.1 4.1a 4.1b 4.1c 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.8a 5.0 5.0a 5.0b
    5.1 5.2 5.2a 5.2b 5.2c 5.3 5.4 5.4a 5.4b 6.0 6.1 6.1a 7.0 7.1 7.2 7.3 7.3a 7.3b 7.4 7.5 7.6 7.7
    7.8 7.9 7.9a 7.10 7.11 7.11a",
  RE = "1.0 1.1 1.2 1.3 1.3a 1.4 2.0 2.1 2.2 2.3 2.4 2.4a 2.4b 3.0 3.1 3.2 3.3 4.0 4.1 4.2 4.3 4.4
    4.5 4.6 4.7 4.8 4.9 4.10 4.11 4.12 4.13 4.14 4.15 4.16 4.17 4.18 5.0 6.0 6.1 6.2 6.3 7.0 7.0a
    7.1 7.1a 7.2 7.3 7.4"
)
standards <- unlist(lapply(names(numbers), function(group) {
  paste0(group, strsplit(numbers[[group]], "[[:space:]]+")[[1L]])
}))
stopifnot(lengths(split(standards, sub("[0-9].*", "", standards))) == c(68, 90, 48))

files <- c(
  list.files("R", "[.]R$", full.names = TRUE),
  list.files("tests/testthat", "[.]R$", full.names = TRUE)
)
central <- "R/srr-standards.R"

# One row per tag and standard: file, line, kind ("", "NA" or "TODO"), id, and whether it says
# anything.
tags_of <- function(file, lines = readLines(file, encoding = "UTF-8")) {
  form <- "^#' @srrstats(NA|TODO)? \\{([^}]*)\\} *(.*)$"
  at <- grep("@srrstats", lines, fixed = TRUE)
  if (length(at) == 0L) {
    return(NULL)
  }
  do.call(rbind, lapply(at, function(i) {
    if (!grepl(form, lines[i])) {
      return(data.frame(file, line = i, kind = "wrong", id = "", says = TRUE))
    }
    ids <- strsplit(sub(form, "\\2", lines[i]), ", *")[[1L]]
    says <- nchar(sub(form, "\\3", lines[i])) >= 10L
    data.frame(file, line = i, kind = sub(form, "\\1", lines[i]), id = ids, says)
  }))
}

# A block of comments that has tags and nothing that roxygen2 knows needs @noRd.
blocks_without_page <- function(file, lines = readLines(file, encoding = "UTF-8")) {
  comment <- startsWith(lines, "#'")
  block <- cumsum(c(TRUE, diff(comment) != 0))
  starts <- tapply(seq_along(lines), block, min)
  bad <- tapply(lines, block, function(x) {
    known <- "^#' @(noRd|rdname|export|name|title|param|return|section|evalRd|keywords|format)"
    any(grepl("^#' @srrstats", x)) && !any(grepl(known, x))
  })
  sprintf("%s:%d: a block of tags needs @noRd", file, starts[bad])
}

faults_of <- function(tags) {
  where <- function(rows) sprintf("%s:%d", rows$file, rows$line)
  wrong <- tags[tags$kind == "wrong", ]
  tags <- tags[tags$kind != "wrong", ]
  unknown <- tags[!tags$id %in% standards, ]
  silent <- tags[!tags$says, ]
  apart <- tags[xor(tags$kind == "", tags$file != central), ]
  kinds <- lapply(split(tags$kind, tags$id), unique)
  both <- names(kinds)[lengths(kinds) > 1L]
  not_met <- tags[tags$kind != "", ]
  c(
    sprintf("%s has no tag", setdiff(standards, tags$id)),
    sprintf("%s is tagged as met and as not met", both),
    sprintf("%s is tagged twice as not met", unique(not_met$id[duplicated(not_met$id)])),
    sprintf("%s: there is no standard %s", where(unknown), unknown$id),
    sprintf("%s: the tag of %s has no sentence", where(silent), silent$id),
    sprintf(
      "%s: @srrstatsNA and @srrstatsTODO belong in %s, @srrstats elsewhere", where(apart), central
    ),
    sprintf("%s: not the form of a tag", where(wrong))
  )
}

args <- commandArgs(TRUE)
tags <- do.call(rbind, lapply(files, tags_of))

if ("--planted" %in% args) {
  rest <- tags[tags$id != tags$id[1L], ]
  more <- function(kind, id, says = TRUE) {
    file <- if (kind == "") "R/checks.R" else central
    rbind(tags, data.frame(file, line = 1L, kind, id, says))
  }
  one <- tags$id[tags$kind == ""][1L]
  planted <- list(
    "a removed tag" = rest, "a tag as met and as NA" = more("NA", one),
    "an unknown standard" = more("", "G9.9"), "a tag without a sentence" = more("", one, FALSE),
    "a mistyped tag" = more("wrong", "")
  )
  seen <- vapply(planted, function(x) length(faults_of(x)) > length(faults_of(tags)), NA)
  cat(sprintf("%s is %s\n", names(planted), ifelse(seen, "seen", "NOT seen")), sep = "")
  cat(sprintf("%d passed, %d failed, 0 skipped\n", sum(seen), sum(!seen)))
  quit(status = any(!seen))
}

if ("--list" %in% args) {
  for (id in standards) {
    own <- tags[tags$id == id, ]
    cat(id, paste0(own$kind, " ", own$file, ":", own$line), sep = "\t")
    cat("\n")
  }
}
faults <- c(
  faults_of(tags), unlist(lapply(grep("^R/", files, value = TRUE), blocks_without_page))
)
writeLines(as.character(faults))
kind_of <- tags$kind[match(standards, tags$id)]
for (group in names(numbers)) {
  own <- kind_of[grepl(paste0("^", group, "[0-9]"), standards)]
  cat(sprintf(
    "%s: %d met, %d not applicable, %d to do\n", group,
    sum(own %in% ""), sum(own %in% "NA"), sum(own %in% "TODO")
  ))
}
tagged <- sum(standards %in% tags$id)
cat(sprintf("%d passed, %d failed, 0 skipped\n", tagged, length(faults)))
quit(status = length(faults) > 0L)
