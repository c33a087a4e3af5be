pkgname <- "tectree"
source(file.path(R.home("share"), "R", "examples-header.R"))
options(warn = 1)
library('tectree')

base::assign(".oldSearch", base::search(), pos = 'CheckExEnv')
base::assign(".old_wd", base::getwd(), pos = 'CheckExEnv')
cleanEx()
nameEx("as.data.frame.tec_tree")
### * as.data.frame.tec_tree

flush(stderr()); flush(stdout())

### Name: as.data.frame.tec_tree
### Title: The nodes of a tree as a data frame
### Aliases: as.data.frame.tec_tree

### ** Examples

as.data.frame(tec_tree(Species ~ ., iris))[c("node", "rule", "n", "yval")]



cleanEx()
nameEx("as.data.frame.tec_tune")
### * as.data.frame.tec_tune

flush(stderr()); flush(stdout())

### Name: as.data.frame.tec_tune
### Title: The settings of a tuning run as a data frame
### Aliases: as.data.frame.tec_tune

### ** Examples

tuned <- tec_tune(Species ~ ., iris, q = 1:3, folds = 5)
as.data.frame(tuned)
head(as.data.frame(tuned, what = "folds"))



cleanEx()
nameEx("as.party.tec_tree")
### * as.party.tec_tree

flush(stderr()); flush(stdout())

### Name: as.party.tec_tree
### Title: A tree for the partykit package
### Aliases: as.party.tec_tree

### ** Examples

## Don't show: 
if (requireNamespace("partykit", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
fit <- tec_tree(Species ~ ., iris)
party <- partykit::as.party(fit)
party
predict(party, iris[c(1, 71), ], type = "prob")
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("as_rpart")
### * as_rpart

flush(stderr()); flush(stdout())

### Name: as_rpart
### Title: A tree as rpart has it
### Aliases: as_rpart

### ** Examples

## Don't show: 
if (requireNamespace("rpart", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
fit <- tec_tree(Species ~ ., iris)
tree <- as_rpart(fit)
tree
head(predict(tree, iris), 3)
if (requireNamespace("rpart.plot", quietly = TRUE)) rpart.plot::rpart.plot(tree, type = 2)
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("as_tec_tree")
### * as_tec_tree

flush(stderr()); flush(stdout())

### Name: as_tec_tree.C5.0
### Title: Trees of other packages
### Aliases: as_tec_tree.C5.0 as_tec_tree.party as_tec_tree.rpart
###   as_tec_tree

### ** Examples

## Don't show: 
if (requireNamespace("rpart", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
fit <- as_tec_tree(rpart::rpart(Species ~ ., iris))
fit
tec_rules(fit)
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("autoplot.tec_tree")
### * autoplot.tec_tree

flush(stderr()); flush(stdout())

### Name: autoplot.tec_tree
### Title: Draw a tree with ggplot2
### Aliases: autoplot.tec_tree

### ** Examples

## Don't show: 
if (requireNamespace("ggplot2", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
fit <- tec_tree(Species ~ ., iris)
ggplot2::autoplot(fit) + ggplot2::labs(title = "Three irises")
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("balance_scale")
### * balance_scale

flush(stderr()); flush(stdout())

### Name: balance_scale
### Title: Which way does the balance tip?
### Aliases: balance_scale
### Keywords: datasets

### ** Examples

table(balance_scale$class)
with(balance_scale, table(class, sign(left_weight * left_distance -
  right_weight * right_distance)))



cleanEx()
nameEx("cami")
### * cami

flush(stderr()); flush(stdout())

### Name: cami
### Title: Class-attribute measures
### Aliases: cami cair effcami

### ** Examples

counts <- rbind(no = c(3, 0, 2), yes = c(2, 4, 3))
cami(counts)
cair(counts)
effcami(counts)



cleanEx()
nameEx("compare_criteria")
### * compare_criteria

flush(stderr()); flush(stdout())

### Name: compare_criteria
### Title: Compare split criteria
### Aliases: compare_criteria

### ** Examples

set.seed(1)
compared <- compare_criteria(Species ~ ., iris, c("shannon", "gini", "gain_ratio"))
compared
as.data.frame(compared, what = "tests")
plot(compared)



cleanEx()
nameEx("cp_table")
### * cp_table

flush(stderr()); flush(stdout())

### Name: cp_table
### Title: Complexity parameter table
### Aliases: cp_table print.tec_cp_table as.data.frame.tec_cp_table
###   plot.tec_cp_table printcp plotcp

### ** Examples

set.seed(1)
fit <- tec_tree(Species ~ ., iris, prune = "ccp", cp = 0, min_bucket = 2)
table <- cp_table(fit)
table
plot(table)
tec_prune(fit, alpha = "1se")



cleanEx()
nameEx("cross_entropy")
### * cross_entropy

flush(stderr()); flush(stdout())

### Name: cross_entropy
### Title: Cross-entropy and Kullback-Leibler divergence
### Aliases: cross_entropy kl_divergence

### ** Examples

observed <- c(yes = 9, no = 5)
predicted <- c(yes = 0.5, no = 0.5)
cross_entropy(observed, predicted)
kl_divergence(observed, predicted)
shannon_entropy(observed) + kl_divergence(observed, predicted)
kl_divergence(observed, predicted, q = 2)

counts <- table(play_tennis$PlayTennis, play_tennis$Outlook)
mutual_information(counts)
kl_divergence(counts, outer(rowSums(counts), colSums(counts)))



cleanEx()
nameEx("dalex")
### * dalex

flush(stderr()); flush(stdout())

### Name: dalex
### Title: Trees in DALEX
### Aliases: dalex

### ** Examples

## Don't show: 
if (requireNamespace("DALEX", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
fit <- tec_tree(mpg ~ ., mtcars)
explainer <- DALEX::explain(fit, data = mtcars[-1], y = mtcars$mpg, verbose = FALSE)
DALEX::predict_parts(explainer, mtcars["Fiat 128", -1])
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("entropy")
### * entropy

flush(stderr()); flush(stdout())

### Name: entropy
### Title: Entropies of one variable
### Aliases: entropy tsallis_entropy beta_entropy shannon_entropy
###   gini_index split_information

### ** Examples

tsallis_entropy(c(9, 5), q = 1)
tsallis_entropy(c(9, 5), q = 2)
gini_index(c(9, 5))
shannon_entropy(c("yes", "no", "yes", "yes"))
shannon_entropy(factor(c(1, 0, 1, 1))) # numbers alone would be weights
beta_entropy(c(0.5, 0.5), beta = 1.7)
split_information(c(5, 4, 5))



cleanEx()
nameEx("explain")
### * explain

flush(stderr()); flush(stdout())

### Name: explain
### Title: Why a row is predicted as it is, and what would change it
### Aliases: explain explain.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
explain(fit, iris[71, ])
explain(tec_tree(mpg ~ ., mtcars), mtcars["Fiat 128", ])



cleanEx()
nameEx("fruit")
### * fruit

flush(stderr()); flush(stdout())

### Name: fruit
### Title: Apples, bananas and pears
### Aliases: fruit
### Keywords: datasets

### ** Examples

table(fruit$color, fruit$fruit)
tapply(fruit$weight, fruit$fruit, mean)



cleanEx()
nameEx("importance")
### * importance

flush(stderr()); flush(stdout())

### Name: importance
### Title: Variable importance
### Aliases: importance importance.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
importance(fit)
set.seed(1)
importance(fit, type = "permutation", data = iris)



cleanEx()
nameEx("joint_entropy")
### * joint_entropy

flush(stderr()); flush(stdout())

### Name: joint_entropy
### Title: Entropies of several variables
### Aliases: joint_entropy conditional_entropy mutual_information

### ** Examples

play <- c("no", "no", "yes", "yes", "yes", "no")
wind <- c("weak", "strong", "weak", "weak", "weak", "strong")
sky <- c("sun", "sun", "cloud", "rain", "rain", "rain")

mutual_information(play, wind)
shannon_entropy(play) - conditional_entropy(play, wind)

mutual_information(play, wind, q = 1.5)
joint_entropy(table(play, wind), q = 2)
conditional_entropy(tec_partition(play), tec_partition(wind), beta = 2)

# Three variables
joint_entropy(play, wind, sky)
conditional_entropy(play, wind, sky)
mutual_information(play, wind, given = sky)



cleanEx()
nameEx("logLik.tec_tree")
### * logLik.tec_tree

flush(stderr()); flush(stdout())

### Name: logLik.tec_tree
### Title: Log-likelihood of a tree
### Aliases: logLik.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
logLik(fit)
AIC(fit, tec_prune(fit, cp = 0.1))



cleanEx()
nameEx("mlr3")
### * mlr3

flush(stderr()); flush(stdout())

### Name: mlr3
### Title: Trees in mlr3
### Aliases: mlr3

### ** Examples

## Don't show: 
if (nzchar(system.file(package = "mlr3"))) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
# library(mlr3) does this:
lrn <- getExportedValue("mlr3", "lrn")
tsk <- getExportedValue("mlr3", "tsk")

learner <- lrn("classif.tectree", q = 1.5, max_depth = 3)
task <- tsk("iris")
learner$train(task)
learner$predict(task)$confusion
learner$importance()
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("monks")
### * monks

flush(stderr()); flush(stdout())

### Name: monks
### Title: The three MONK's problems
### Aliases: monks
### Keywords: datasets

### ** Examples

sapply(monks[c("monks1", "monks2", "monks3")], table)



cleanEx()
nameEx("n_leaves")
### * n_leaves

flush(stderr()); flush(stdout())

### Name: n_leaves
### Title: Size, depth and branches of a tree
### Aliases: n_leaves n_nodes tree_depth [[.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
n_leaves(fit)
n_nodes(fit)
tree_depth(fit)
fit[[3]]



cleanEx()
nameEx("other-words")
### * other-words

flush(stderr()); flush(stdout())

### Name: other-words
### Title: Arguments and words of other packages
### Aliases: other-words

### ** Examples

tec_tree(Species ~ ., iris, min_samples_leaf = 10, criterion = "entropy")
tec_tree(Species ~ ., iris, control = list(minsplit = 30, maxdepth = 2))
tec_tree(Species ~ ., iris, preset = "J48", C = 0.1, M = 5)
tec_tune(Species ~ ., iris, ccp_alpha = c(0, 0.01, 0.1), cv = 5)



cleanEx()
nameEx("parsnip")
### * parsnip

flush(stderr()); flush(stdout())

### Name: parsnip
### Title: Trees in tidymodels
### Aliases: parsnip tec_parsnip_tree

### ** Examples

## Don't show: 
if (requireNamespace("parsnip", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
spec <- parsnip::decision_tree(mode = "classification", cost_complexity = 0.01)
spec <- parsnip::set_engine(spec, "tectree", q = 1.5)
fit <- parsnip::fit(spec, Species ~ ., iris)
predict(fit, iris[c(1, 71, 120), ], type = "prob")
parsnip::extract_fit_engine(fit)

# Three complexity penalties from one tree
parsnip::multi_predict(fit, iris[71, ], cost_complexity = c(0.01, 0.1, 0.6))$.pred[[1]]
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("play_tennis")
### * play_tennis

flush(stderr()); flush(stdout())

### Name: play_tennis
### Title: Will tennis be played?
### Aliases: play_tennis play_tennis_slides
### Keywords: datasets

### ** Examples

table(play_tennis$Outlook, play_tennis$PlayTennis)
which(play_tennis$Outlook != play_tennis_slides$Outlook)



cleanEx()
nameEx("plot.tec_importance")
### * plot.tec_importance

flush(stderr()); flush(stdout())

### Name: plot.tec_importance
### Title: Draw the importance of the predictors
### Aliases: plot.tec_importance autoplot.tec_importance

### ** Examples

fit <- tec_tree(Species ~ ., iris)
plot(importance(fit))
set.seed(1)
plot(importance(fit, type = "permutation", data = iris))



cleanEx()
nameEx("plot.tec_scores")
### * plot.tec_scores

flush(stderr()); flush(stdout())

### Name: plot.tec_scores
### Title: Draw the scores of the attributes
### Aliases: plot.tec_scores

### ** Examples

plot(tec_scores(PlayTennis ~ ., play_tennis, preset = "id3"))
plot(
  tec_scores(fruit ~ ., fruit, criterion = "shannon"),
  tec_scores(fruit ~ ., fruit, criterion = "gini"),
  tec_scores(fruit ~ ., fruit, criterion = "gain_ratio")
)



cleanEx()
nameEx("plot.tec_tree")
### * plot.tec_tree

flush(stderr()); flush(stdout())

### Name: plot.tec_tree
### Title: Draw a tree
### Aliases: plot.tec_tree text.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
plot(fit)
plot(fit, depth = 2)
# Of a large tree the top, and a branch of it:
large <- tec_tree(class ~ ., balance_scale, min_bucket = 1)
plot(large)
plot(large, nodes = 3)
plot(tec_tree(mpg ~ ., mtcars), main = "Miles per gallon")



cleanEx()
nameEx("plot.tec_tune")
### * plot.tec_tune

flush(stderr()); flush(stdout())

### Name: autoplot.tec_tune
### Title: Plot the result of tuning
### Aliases: autoplot.tec_tune plot.tec_tune

### ** Examples

set.seed(1)
tuned <- tec_tune(Species ~ ., iris, q = seq(0.2, 4, by = 0.2), min_bucket = c(1, 5))
plot(tuned)
plot(tuned, what = "tree")
plot(tec_tune(Species ~ ., iris, criterion = c("gini", "shannon", "gain_ratio")))



cleanEx()
nameEx("plot_impurity")
### * plot_impurity

flush(stderr()); flush(stdout())

### Name: plot_impurity
### Title: Impurity curves of two classes
### Aliases: plot_impurity

### ** Examples

plot_impurity()
plot_impurity(q = c(0.5, 3), scale = TRUE)



cleanEx()
nameEx("predict.tec_tree")
### * predict.tec_tree

flush(stderr()); flush(stdout())

### Name: predict.tec_tree
### Title: Predict with a tree
### Aliases: predict.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
some <- iris[c(1, 60, 120), ]
predict(fit, some)
predict(fit, some, type = "prob")
predict(fit, some, type = "path")



cleanEx()
nameEx("print.tec_tree")
### * print.tec_tree

flush(stderr()); flush(stdout())

### Name: print.tec_tree
### Title: Print a tree
### Aliases: print.tec_tree format.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris, min_bucket = 1)
print(fit, n = 5)
writeLines(format(fit, width = 50))



cleanEx()
nameEx("print.tec_tune")
### * print.tec_tune

flush(stderr()); flush(stdout())

### Name: print.tec_tune
### Title: Print the result of tuning
### Aliases: print.tec_tune

### ** Examples

print(tec_tune(Species ~ ., iris, q = 1:3, folds = 5), n = 2)



cleanEx()
nameEx("q_log")
### * q_log

flush(stderr()); flush(stdout())

### Name: q_log
### Title: The q-logarithm and the q-exponential
### Aliases: q_log q_exp

### ** Examples

q_log(c(0.5, 1, 2), q = 1.5)
q_exp(q_log(3, q = 0.4), q = 0.4)
p <- c(0.2, 0.3, 0.5)
sum(p * q_log(1 / p, q = 1.7))
tsallis_entropy(p, q = 1.7)



cleanEx()
nameEx("summary.tec_tree")
### * summary.tec_tree

flush(stderr()); flush(stdout())

### Name: summary.tec_tree
### Title: Model summary and evaluation on new data
### Aliases: summary.tec_tree print.summary.tec_tree
###   format.summary.tec_tree

### ** Examples

summary(tec_tree(Species ~ ., iris))
summary(tec_tree(mpg ~ ., mtcars))

half <- seq(1, 150, by = 2)
fit <- tec_tree(Species ~ ., iris[half, ])
summary(fit, iris[-half, ])



cleanEx()
nameEx("tec_caret")
### * tec_caret

flush(stderr()); flush(stdout())

### Name: tec_caret
### Title: Trees in caret
### Aliases: tec_caret

### ** Examples

## Don't show: 
if (requireNamespace("caret", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
set.seed(1)
caret::train(iris[1:4], iris$Species,
  method = tec_caret(c("cp", "max_depth")), preset = "cart",
  trControl = caret::trainControl("cv", number = 3)
)
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("tec_control")
### * tec_control

flush(stderr()); flush(stdout())

### Name: tec_control
### Title: Control parameters
### Aliases: tec_control

### ** Examples

tec_control(min_bucket = 3, max_depth = 4)
tec_control(minbucket = 3)



cleanEx()
nameEx("tec_criteria")
### * tec_criteria

flush(stderr()); flush(stdout())

### Name: tec_criteria
### Title: The split criteria
### Aliases: tec_criteria tec_criterion

### ** Examples

tec_criteria()[c("name", "task", "parameter", "score")]
tec_criterion("beta", beta = 1.7)
tec_criterion("gini")



cleanEx()
nameEx("tec_partition")
### * tec_partition

flush(stderr()); flush(stdout())

### Name: tec_partition
### Title: Partitions of a set
### Aliases: tec_partition tec_meet tec_trace_on tec_partition_sum
###   tec_is_finer format.tec_partition print.tec_partition

### ** Examples

class <- tec_partition(c("no", "no", "yes", "yes", "no"))
split <- tec_partition(list(c(1, 2, 3), c(4, 5)))
class
tec_meet(class, split)
tec_trace_on(class, 1:3)
tec_partition_sum(tec_trace_on(class, 1:3), tec_trace_on(class, 4:5))
tec_is_finer(tec_meet(class, split), class)
conditional_entropy(class, split, beta = 2)



cleanEx()
nameEx("tec_prune")
### * tec_prune

flush(stderr()); flush(stdout())

### Name: tec_prune
### Title: Prune a tree
### Aliases: tec_prune prune prune.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris, min_bucket = 1)
cp_table(fit)
tec_prune(fit, cp = 0.05)
tec_prune(fit, "pep")
tec_prune(fit, "ebp", data = iris)

# By hand: node 4 becomes a leaf.
tec_prune(fit, node = 4)

half <- seq(1, 150, by = 2)
fit <- tec_tree(Species ~ ., iris[half, ], min_bucket = 1)
tec_prune(fit, validation = iris[-half, ])



cleanEx()
nameEx("tec_q_param")
### * tec_q_param

flush(stderr()); flush(stdout())

### Name: tec_q_param
### Title: Parameters of a tree for dials
### Aliases: tec_q_param tec_criterion_param

### ** Examples

## Don't show: 
if (requireNamespace("dials", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
tec_q_param()
dials::value_seq(tec_q_param(c(0.5, 2)), 4)
tec_criterion_param(c("gini", "shannon", "cair"))
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("tec_rules")
### * tec_rules

flush(stderr()); flush(stdout())

### Name: tec_rules
### Title: Decision rules
### Aliases: tec_rules

### ** Examples

tec_rules(tec_tree(Species ~ ., iris))
as.data.frame(tec_rules(tec_tree(mpg ~ ., mtcars)))



cleanEx()
nameEx("tec_scores")
### * tec_scores

flush(stderr()); flush(stdout())

### Name: tec_scores
### Title: How every attribute scores
### Aliases: tec_scores tec_scores.formula tec_scores.default
###   tec_scores.tec_tree

### ** Examples

tec_scores(Species ~ ., iris, criterion = "gain_ratio")

fit <- tec_tree(Species ~ ., iris)
tec_scores(fit, iris, node = 3)



cleanEx()
nameEx("tec_tree-methods")
### * tec_tree-methods

flush(stderr()); flush(stdout())

### Name: tec_tree-methods
### Title: Standard methods for fitted trees
### Aliases: tec_tree-methods formula.tec_tree terms.tec_tree
###   variable.names.tec_tree nobs.tec_tree deviance.tec_tree
###   fitted.tec_tree model.frame.tec_tree residuals.tec_tree
###   labels.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
formula(fit)
variable.names(fit, used = TRUE)
nobs(fit)
deviance(fit)
table(fitted(fit), iris$Species)
sum(residuals(fit))
head(residuals(fit, iris[51:100, ]))
labels(fit)



cleanEx()
nameEx("tec_tree")
### * tec_tree

flush(stderr()); flush(stdout())

### Name: tec_tree
### Title: Grow a decision tree
### Aliases: tec_tree tec_tree.formula tec_tree.default

### ** Examples

fit <- tec_tree(Species ~ ., iris, q = 1.5)
fit
predict(fit, iris[c(1, 51, 101), ])

tec_tree(mpg ~ ., mtcars, min_bucket = 4)
tec_tree(x = iris[1:4], y = iris$Species, criterion = "gain_ratio")

# Pruned: as rpart does, and by a complexity penalty
tec_tree(Species ~ ., iris, preset = "cart")
tec_tree(Species ~ ., iris, cp = 0.5)

# To take a virginica for another is ten times as bad as the reverse.
cost <- matrix(c(0, 1, 10, 1, 0, 10, 1, 1, 0), 3,
  dimnames = list(levels(iris$Species), levels(iris$Species))
)
tec_tree(Species ~ ., iris, cost = cost, max_depth = 2)
tec_tree(Species ~ ., iris, cost = cost, cost_in = "split", max_depth = 2)

# Setosas are rare where the tree will be used.
prior <- c(setosa = 0.02, versicolor = 0.49, virginica = 0.49)
tec_tree(Species ~ ., iris, prior = prior)



cleanEx()
nameEx("tec_tune-methods")
### * tec_tune-methods

flush(stderr()); flush(stdout())

### Name: tec_tune-methods
### Title: What a tuning run says of its chosen tree
### Aliases: tec_tune-methods predict.tec_tune summary.tec_tune
###   importance.tec_tune explain.tec_tune fitted.tec_tune
###   residuals.tec_tune deviance.tec_tune nobs.tec_tune formula.tec_tune
###   terms.tec_tune variable.names.tec_tune labels.tec_tune text.tec_tune
###   tec_scores.tec_tune as_tec_tree.tec_tune augment.tec_tune
###   glance.tec_tune prune.tec_tune printcp.tec_tune plotcp.tec_tune
###   model.frame.tec_tune logLik.tec_tune

### ** Examples

set.seed(1)
tuned <- tec_tune(Species ~ ., iris, q = 1:3, folds = 5)
summary(tuned)
importance(tuned)
n_leaves(tuned)
tec_rules(tuned)
explain(tuned, iris[71, ])
plot(tuned$fit)



cleanEx()
nameEx("tec_tune")
### * tec_tune

flush(stderr()); flush(stdout())

### Name: tec_tune
### Title: Choose the settings of a tree by cross-validation
### Aliases: tec_tune tec_tune.formula tec_tune.default

### ** Examples

set.seed(1)
tuned <- tec_tune(Species ~ ., iris, q = c(0.5, 1, 2, 3), min_bucket = 1)
tuned
plot(tuned)
tuned$fit
predict(tuned, iris[c(1, 51, 101), ])

# A numeric response: complexity penalty and sizes of the tree
tec_tune(mpg ~ ., mtcars)

# The smallest tree that is about as good
tec_tune(Species ~ ., iris, max_depth = 1:4, metric = "log_loss", rule = "1se")

# A race of all criteria on a part of the rows
tec_tune(Species ~ ., iris, criterion = tec_criteria()$name, folds = 5, sample = 100)



cleanEx()
nameEx("tidiers")
### * tidiers

flush(stderr()); flush(stdout())

### Name: tidiers
### Title: Trees as tidy tables
### Aliases: tidiers tidy.tec_tree glance.tec_tree augment.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
tidy(fit)
glance(fit)
augment(fit)
augment(fit, newdata = iris[c(1, 71, 120), ])



cleanEx()
nameEx("update.tec_tree")
### * update.tec_tree

flush(stderr()); flush(stdout())

### Name: update.tec_tree
### Title: Update and refit a tree
### Aliases: update.tec_tree

### ** Examples

fit <- tec_tree(Species ~ ., iris)
update(fit, q = 2, min_bucket = 1)
update(fit, . ~ . - Petal.Length, data = iris)



### * <FOOTER>
###
cleanEx()
options(digits = 7L)
base::cat("Time elapsed: ", proc.time() - base::get("ptime", pos = 'CheckExEnv'),"\n")
grDevices::dev.off()
###
### Local variables: ***
### mode: outline-minor ***
### outline-regexp: "\\(> \\)?### [*]+" ***
### End: ***
quit('no')
