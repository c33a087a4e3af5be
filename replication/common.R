# Shared by the scripts: their arguments, and the data sets.

script_options <- function(usual, args = commandArgs(trailingOnly = TRUE)) {
  named <- grepl("^--[a-z]+=", args)
  given <- as.list(sub("^--[a-z]+=", "", args[named]))
  names(given) <- sub("^--([a-z]+)=.*", "\\1", args[named])
  unknown <- setdiff(names(given), names(usual))
  if (length(unknown)) stop("There is no option --", unknown[1], "=", call. = FALSE)
  options <- utils::modifyList(usual, given)
  for (name in names(usual)) {
    if (is.numeric(usual[[name]])) options[[name]] <- as.numeric(options[[name]])
  }
  folder <- c(args[!named], Sys.getenv("TECTREE_DATA"))[1]
  if (!nzchar(folder) || !file.exists(file.path(folder, "uci", "MANIFEST.csv"))) {
    stop("Name the data folder as an argument, or in TECTREE_DATA.", call. = FALSE)
  }
  options$data <- folder
  options
}

# A data set with the types of the manifest and the declared levels.
read_data <- function(folder, name) {
  folder <- file.path(folder, "uci")
  manifest <- utils::read.csv(file.path(folder, "MANIFEST.csv"), na.strings = "")
  entry <- manifest[manifest$name == name, ]
  nominal <- strsplit(as.character(entry$nominal_columns), ";", fixed = TRUE)[[1]]
  nominal <- c("class", nominal[!is.na(nominal)])
  levels <- utils::read.csv(
    file.path(folder, "LEVELS.csv.gz"),
    colClasses = "character", na.strings = NULL
  )
  levels <- levels[levels$name == name, ]
  file <- file.path(folder, entry$file)
  header <- scan(file, "", sep = ",", nlines = 1, quiet = TRUE)
  types <- ifelse(header %in% nominal, "character", "numeric")
  data <- utils::read.csv(file, colClasses = types, na.strings = "", check.names = FALSE)
  for (column in nominal) {
    declared <- levels[levels$column == column, ]
    declared <- declared$level[order(as.integer(declared$position))]
    data[[column]] <- factor(data[[column]], levels = declared)
  }
  data
}

# Independent jobs on several processes if the system can fork.
run_jobs <- function(jobs, run, cores) {
  if (cores > 1 && .Platform$OS.type == "unix") {
    out <- parallel::mclapply(jobs, run, mc.cores = cores, mc.preschedule = FALSE)
  } else {
    out <- lapply(jobs, run)
  }
  failed <- vapply(out, inherits, NA, "try-error")
  if (any(failed)) stop(out[[which(failed)[1]]], call. = FALSE)
  do.call(rbind, out)
}

write_results <- function(table, options, name) {
  dir.create(options$out, showWarnings = FALSE, recursive = TRUE)
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 10)
  file <- xzfile(file.path(options$out, paste0(name, ".xz")), "w", compression = -9)
  on.exit(close(file))
  utils::write.csv(table, file, row.names = FALSE, quote = FALSE)
}

words <- function(text) strsplit(text, ",", fixed = TRUE)[[1]]

# Standard error of a mean.
se_of <- function(x) stats::sd(x) / sqrt(length(x))

# The functions of another script, without running it.
read_functions <- function(script) {
  functions <- new.env()
  old <- options(tectree.replication.functions = TRUE)
  on.exit(options(old))
  sys.source(script, functions)
  functions
}

# In a separate process, since the variables are read once.
apart <- function(variables, run) {
  child <- parallel::mcparallel({
    if (length(variables)) do.call(Sys.setenv, as.list(variables))
    run()
  })
  out <- parallel::mccollect(child)[[1]]
  if (inherits(out, "try-error")) stop(out, call. = FALSE)
  out
}

# Readings of the rules need a package built with the patch.
check_patched <- function() {
  grow <- function() {
    as.data.frame(tec_tree(
      Species ~ Sepal.Width, iris,
      criterion = "effcami0", preset = "c45", prune = "none"
    ))
  }
  if (identical(apart(c(TECTREE_NO_DEDUCTION = "1"), grow), apart(NULL, grow))) {
    stop("The package is not built with rules_variants.patch.", call. = FALSE)
  }
}
