# Makes every data set in data/. Run from the package's folder: Rscript data-raw/build.R. Version 2
# of the format and xz keep the files small and readable by every R since 2.10.

play_tennis <- read.table(
  header = TRUE, stringsAsFactors = FALSE, text = "
  Outlook  Temperature Humidity Wind   PlayTennis
  sunny    hot         high     weak   no
  sunny    hot         high     strong no
  overcast hot         high     weak   yes
  rain     mild        high     weak   yes
  rain     cool        normal   weak   yes
  rain     cool        normal   strong no
  overcast cool        normal   strong yes
  sunny    mild        high     weak   no
  sunny    cool        normal   weak   yes
  rain     mild        normal   weak   yes
  sunny    mild        normal   strong yes
  overcast mild        high     strong yes
  overcast hot         normal   weak   yes
  rain     mild        high     strong no"
)
play_tennis_levels <- list(
  Outlook = c("sunny", "overcast", "rain"),
  Temperature = c("hot", "mild", "cool"),
  Humidity = c("high", "normal"),
  Wind = c("weak", "strong"),
  PlayTennis = c("no", "yes")
)
play_tennis[] <- Map(factor, play_tennis, play_tennis_levels)

play_tennis_slides <- play_tennis
play_tennis_slides$Outlook[13] <- "rain"

fruit <- read.csv("data-raw/fruit.csv", stringsAsFactors = FALSE)
fruit$fruit <- factor(fruit$fruit, c("apple", "banana", "pear"))
fruit$size <- factor(fruit$size, c("small", "big"))
fruit$color <- factor(fruit$color, c("red", "yellow", "green"))

# All combinations of the values, with the last column varying fastest.
whole_domain <- function(values) {
  grid <- rev(expand.grid(rev(values), KEEP.OUT.ATTRS = FALSE))
  grid[names(values)]
}

monks <- whole_domain(list(a1 = 1:3, a2 = 1:3, a3 = 1:2, a4 = 1:3, a5 = 1:4, a6 = 1:2))
monks_rules <- with(monks, list(
  monks1 = a1 == a2 | a5 == 1,
  monks2 = (a1 == 1) + (a2 == 1) + (a3 == 1) + (a4 == 1) + (a5 == 1) + (a6 == 1) == 2,
  monks3 = (a5 == 3 & a4 == 1) | (a5 != 4 & a2 != 3)
))
monks[] <- lapply(monks, factor)
monks[names(monks_rules)] <- lapply(monks_rules, function(rule) factor(as.integer(rule), 0:1))

balance_scale <- whole_domain(list(
  left_weight = 1:5, left_distance = 1:5, right_weight = 1:5, right_distance = 1:5
))
balance_scale$class <- with(balance_scale, factor(
  sign(right_weight * right_distance - left_weight * left_distance),
  levels = c(-1, 0, 1), labels = c("L", "B", "R")
))

save_data <- function(name) {
  path <- file.path("data", paste0(name, ".rda"))
  save(list = name, file = path, version = 2, compress = "xz", envir = globalenv())
}
dir.create("data", showWarnings = FALSE)
for (name in c("play_tennis", "play_tennis_slides", "fruit", "monks", "balance_scale")) {
  save_data(name)
}
