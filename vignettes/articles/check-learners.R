# The checks of the article *Checks of ten packages*, by package; data-raw/check-learners.R stores
# their results.

prob_of <- function(...) function(fit, newdata) predict(fit, newdata, ...)

learners <- list(
  rpart = function() {
    tec_check_learner(rpart::rpart, predict = prob_of(type = "prob"))
  },
  partykit = function() {
    tec_check_learner(partykit::ctree, predict = prob_of(type = "prob"))
  },
  C50 = function() {
    fit <- function(formula, data, weights) C50::C5.0(formula, data, weights)
    tec_check_learner(fit, predict = prob_of(type = "prob"))
  },
  ranger = function() {
    predicted <- function(fit, newdata) predict(fit, newdata, num.threads = 1)$predictions
    tec_check_learner(ranger::ranger, predict = predicted, probability = TRUE, num.trees = 50)
  },
  randomForest = function() {
    tec_check_learner(randomForest::randomForest, ntree = 50, predict = prob_of(type = "prob"))
  },
  gbm = function() {
    fit <- function(formula, data, weights) {
      data$class <- as.numeric(data$class == "yes")
      if (is.null(weights)) weights <- rep(1, nrow(data))
      environment(formula) <- list2env(list(weights = weights), parent = globalenv())
      gbm::gbm(formula, "bernoulli", data, weights, n.trees = 50, bag.fraction = 1)
    }
    tec_check_learner(fit, predict = prob_of(n.trees = 50, type = "response"))
  },
  earth = function() {
    fit <- function(formula, data, weights) earth::earth(formula, data, weights = weights)
    tec_check_learner(fit, number ~ .)
  },
  e1071 = function() {
    tec_check_learner(e1071::svm, number ~ .)
  },
  nnet = function() {
    fit <- function(formula, data, weights) {
      environment(formula) <- list2env(list(weights = weights), parent = globalenv())
      nnet::nnet(formula, data, weights, size = 2, decay = 0.01, trace = FALSE)
    }
    tec_check_learner(fit)
  },
  MASS = function() {
    tec_check_learner(MASS::lda, predict = function(fit, newdata) predict(fit, newdata)$posterior)
  }
)
