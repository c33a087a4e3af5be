# The classification sets of the UCI repository as used by the studies, and tables that grow set by set.

args <- commandArgs(trailingOnly = TRUE)
given <- function(name, default) {
  value <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), args, value = TRUE))
  if (length(value)) value[[1L]] else default
}

# One of each family of variants.
left_out <- c("glass_id", "glass_weka", "monks1_train", "monks2_train", "monks3_train", "abalone_3_20", "waveform21",
  "zoo_animal", "splice_name", "adult_test")

# The response is the column `y`.
uci_set <- function(about, folder) {
  data <- read.csv(file.path(folder, about$file), stringsAsFactors = TRUE, na.strings = "")
  for (column in c("class", strsplit(about$nominal_columns, ";")[[1L]])) data[[column]] <- factor(data[[column]])
  names(data)[names(data) == "class"] <- "y"
  data
}

# At most `most` rows, drawn at random.
sample_of_set <- function(data, most, seed) {
  set.seed(seed)
  if (nrow(data) > most) data <- data[sort(sample(nrow(data), most)), ]
  if (is.factor(data$y)) data$y <- droplevels(data$y)
  data
}

# Calls study(name, data) for the sets that file `to` does not have yet, small ones first, and appends the results, so a
# study can be stopped and continued.
study_sets <- function(study, to, folder, most) {
  manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
  manifest <- manifest[!manifest$name %in% left_out, ]
  manifest <- manifest[order(pmin(manifest$rows, most) * manifest$features), ]
  chosen <- given("sets", NULL)
  if (!is.null(chosen)) manifest <- manifest[manifest$name %in% strsplit(chosen, ",")[[1L]], ]
  results <- if (file.exists(to)) read.csv(to)
  for (i in which(!manifest$name %in% results$set)) {
    name <- manifest$name[i]
    start <- proc.time()
    result <- study(name, sample_of_set(uci_set(manifest[i, ], folder), most, i))
    numbers <- vapply(result, is.double, NA)
    result[numbers] <- lapply(result[numbers], signif, 6)
    results <- rbind(results, result)
    utils::write.csv(results, xzfile(to), row.names = FALSE, quote = FALSE)
    message(format(name, width = 20), format(sum((proc.time() - start)[1:2]), digits = 3), " s")
  }
}
