# The sets of the studies of defaults: those of uci.R, and more classification and regression sets from packages. The
# response is the column `y`. Sourced after `folder` and `most_rows` are set.

with_y <- function(data, response, drop = NULL) {
  data <- as.data.frame(data)
  data <- data[setdiff(names(data), drop)]
  names(data)[names(data) == response] <- "y"
  data[!is.na(data$y), ]
}

from_package <- function(name, package, file = name) {
  env <- new.env()
  utils::data(list = file, package = package, envir = env)
  env[[name]]
}

more_classes <- list(
  vowel = function() with_y(from_package("Vowel", "mlbench"), "Class", "V1"),
  satellite = function() with_y(from_package("Satellite", "mlbench"), "classes"),
  german_credit = function() with_y(from_package("GermanCredit", "caret"), "Class"),
  cell_segmentation = function() with_y(from_package("segmentationData", "caret"), "Class", c("Cell", "Case")),
  stagec = function() with_y(transform(rpart::stagec, pgstat = factor(pgstat)), "pgstat", "pgtime"),
  hr = function() with_y(DALEX::HR, "status")
)

numbers <- list(
  abalone_rings = function() {
    data <- uci_set(subset(manifest, name == "abalone"), folder)
    transform(data, y = as.numeric(as.character(y)))
  },
  boston = function() with_y(MASS::Boston, "medv"),
  ozone = function() with_y(from_package("Ozone", "mlbench"), "V4"),
  servo = function() with_y(from_package("Servo", "mlbench"), "Class"),
  airquality = function() with_y(datasets::airquality, "Ozone"),
  quakes = function() with_y(datasets::quakes, "mag"),
  chick_weight = function() with_y(data.frame(datasets::ChickWeight), "weight", "Chick"),
  diamonds = function() with_y(ggplot2::diamonds, "price"),
  mpg = function() with_y(ggplot2::mpg, "hwy", "cty"),
  fuel = function() with_y(from_package("car.test.frame", "rpart"), "Mileage"),
  cu_summary = function() with_y(from_package("cu.summary", "rpart"), "Price"),
  cars93 = function() with_y(MASS::Cars93, "Price", c("Min.Price", "Max.Price", "Model", "Make")),
  cpus = function() with_y(MASS::cpus, "perf", c("name", "estperf")),
  birthwt = function() with_y(MASS::birthwt, "bwt", "low"),
  uscrime = function() with_y(MASS::UScrime, "y"),
  apartments = function() with_y(DALEX::apartments, "m2.price"),
  fifa = function() with_y(DALEX::fifa, "value_eur", c("wage_eur", "nationality", "player_positions")),
  sacramento = function() with_y(from_package("Sacramento", "caret"), "price", "city"),
  math = function() with_y(data.frame(from_package("MathAchieve", "nlme")), "MathAch", "School"),
  penguins = function() with_y(palmerpenguins::penguins, "body_mass_g"),
  pbc = function() with_y(survival::pbc, "bili", c("id", "time", "status")),
  flchain = function() with_y(survival::flchain, "creatinine", c("futime", "death", "chapter")),
  solder = function() with_y(from_package("solder.balance", "rpart", "solder"), "skips"),
  friedman1 = function() friedman(mlbench::mlbench.friedman1, 2000),
  friedman3 = function() friedman(mlbench::mlbench.friedman3, 500)
)
friedman <- function(make, n) {
  set.seed(1)
  data.frame(make(n))
}

manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
readers <- c(
  lapply(split(manifest, factor(manifest$name, manifest$name)), function(about) function() uci_set(about, folder)),
  more_classes, numbers
)
readers <- readers[setdiff(names(readers), left_out)]
chosen <- given("sets", NULL)
if (!is.null(chosen)) readers <- readers[strsplit(chosen, ",")[[1L]]]

read_set <- function(name) {
  sample_of_set(readers[[name]](), most_rows, match(name, names(readers)))
}

split_rows <- function(data, seed) {
  set.seed(seed)
  train <- sample(nrow(data), round(0.7 * nrow(data)))
  list(train = data[train, ], test = data[-train, ])
}
