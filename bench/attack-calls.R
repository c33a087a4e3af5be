# The targets of bench/attack.R: models, and a valid call of each function, method and type. The arguments
# of a method are tried, not those of its generic.

small <- iris[c(1:20, 51:70, 101:120), ]
quietly <- function(expr) suppressWarnings(suppressMessages(expr))
models <- list(
  tree = quietly(tec_tree(Species ~ ., small, threads = 1)),
  sure = quietly(tec_tree(Species ~ ., small, missing = "majority", threads = 1)),
  number = quietly(tec_tree(Sepal.Length ~ ., small, threads = 1)),
  forest = quietly(tec_forest(Species ~ ., small, trees = 4, threads = 1)),
  numbers = quietly(tec_forest(Sepal.Length ~ ., small, trees = 4, threads = 1)),
  boost = quietly(tec_boost(Species ~ ., small, rounds = 3, folds = 0, max_depth = 2, threads = 1)),
  ada = quietly(tec_boost(Species ~ ., small, rounds = 3, method = "adaboost", threads = 1)),
  cyclic = quietly(
    tec_boost(Sepal.Length ~ ., small, rounds = 2, folds = 0, cyclic = TRUE, bags = 2, threads = 1)
  ),
  rotation = quietly(tec_rotation(Species ~ ., small, trees = 3, threads = 1)),
  mars = quietly(tec_mars(Sepal.Length ~ ., small, threads = 1)),
  tune = quietly(tec_tune(Species ~ ., small, q = 1:2, folds = 3, threads = 1)),
  scores = quietly(tec_scores(Species ~ ., small, threads = 1))
)
list2env(models, globalenv())
several <- quietly(tec_forest(Species ~ ., small, trees = 4, q = 1:2, threads = 1))
chosen <- quietly(tec_boost(Species ~ ., small, rounds = 5, folds = 2, threads = 1))
splines <- quietly(tec_mars(Species ~ ., small, threads = 1))
shapes <- tec_shapes(cyclic, data = small)
shap <- tec_shap(tree, small[1:5, ])
pairs <- tec_shap(tree, small[1:5, ], interactions = TRUE)
picture <- tec_picture(tree, "roc", data = small)
comparison <- quietly(compare_criteria(Species ~ ., small, folds = 3))
dependence <- tec_dependence(tree, "Petal.Width", data = small)
gains <- tec_gains(tree, small, class = "setosa")
penalties <- cp_table(tree)
rules <- tec_rules(tree)
reasons <- explain(tree, small[1, ])
mars_reasons <- explain(mars, small[1, ])
components <- tec_components(rotation)
code <- tec_code(tree)
weights_of <- importance(forest)
partition <- tec_partition(list(1:2, 3))
page <- tec_view(tree)
json <- unclass(tec_json(tree))
classes <- small$Species
sizes <- small$Sepal.Length

calls <- alist(
  # growth
  tec_tree.formula = tec_tree(formula = Species ~ ., data = small),
  tec_tree.default = tec_tree(x = small[1:4], y = classes),
  tec_tree.formula = tec_tree(formula = Sepal.Length ~ ., data = small, preset = "cart"),
  tec_tree.formula = tec_tree(formula = Species ~ ., data = small, preset = "chaid"),
  tec_tree.formula = tec_tree(formula = Species ~ ., data = small, q = 1:2, tune_by = "mdl"),
  tec_forest.formula = tec_forest(formula = Species ~ ., data = small, trees = 3),
  tec_forest.default = tec_forest(x = small[1:4], y = classes, trees = 3),
  tec_boost.formula = tec_boost(formula = Species ~ ., data = small, rounds = 2, folds = 0),
  tec_boost.default = tec_boost(x = small[1:4], y = classes, rounds = 2, folds = 0),
  tec_boost.formula = tec_boost(
    formula = Species ~ ., data = small, rounds = 2, method = "adaboost"
  ),
  tec_boost.formula = tec_boost(
    formula = Sepal.Length ~ ., data = small, rounds = 2, folds = 0, cyclic = TRUE
  ),
  tec_rotation.formula = tec_rotation(formula = Species ~ ., data = small, trees = 2),
  tec_rotation.default = tec_rotation(x = small[1:4], y = classes, trees = 2),
  tec_mars.formula = tec_mars(formula = Sepal.Length ~ ., data = small),
  tec_mars.default = tec_mars(x = small[2:4], y = sizes),
  tec_tune.formula = tec_tune(formula = Species ~ ., data = small, q = 1:2, folds = 3),
  tec_tune.default = tec_tune(x = small[1:4], y = classes, q = 1:2, folds = 3),
  tec_tune.formula = tec_tune(formula = Species ~ ., data = small, q = 1:2, by = "mdl"),
  tec_scores.formula = tec_scores(formula = Species ~ ., data = small),
  tec_scores.default = tec_scores(x = small[1:4], y = classes),
  tec_scores.tec_tree = tec_scores(x = tree, node = 1, data = small),
  compare_criteria = compare_criteria(formula = Species ~ ., data = small, folds = 2),
  compare_methods = compare_methods(
    formula = Species ~ ., data = small, folds = 2, methods = list(tree = tec_tree)
  ),
  tec_control = tec_control(), tec_criterion = tec_criterion(name = "tsallis"),
  tec_engine = tec_engine(), tec_q_param = tec_q_param(),
  tec_criterion_param = tec_criterion_param(), tec_caret = tec_caret(),
  tec_more = tec_more(fit = forest, trees = 2), tec_more = tec_more(fit = boost, trees = 2),
  tec_prune = tec_prune(fit = tree, alpha = 0.1), tec_prune = tec_prune(fit = tree, node = 3),
  tec_prune = tec_prune(fit = tree, method = "ebp"),
  tec_shrink = tec_shrink(fit = tree, lambda = 2), tec_shrink = tec_shrink(fit = forest),
  update.tec_tree = update(object = tree), cp_table = cp_table(fit = tree),
  prune.tec_tree = prune(tree = tree, cp = 0.1),
  # new rows
  predict.tec_tree = predict(object = tree, newdata = small),
  predict.tec_tree = predict(object = number, newdata = small, se = TRUE),
  predict.tec_tree = predict(object = tree, newdata = small, type = "path"),
  predict.tec_forest = predict(object = forest, newdata = small),
  predict.tec_forest = predict(object = numbers, newdata = small, type = "quantiles"),
  predict.tec_forest = predict(object = numbers, newdata = small, type = "se"),
  predict.tec_forest = predict(object = forest, newdata = small, type = "tree"),
  predict.tec_boost = predict(object = boost, newdata = small),
  predict.tec_boost = predict(object = ada, newdata = small, type = "prob"),
  predict.tec_boost = predict(object = cyclic, newdata = small),
  predict.tec_rotation = predict(object = rotation, newdata = small),
  predict.tec_mars = predict(object = mars, newdata = small),
  predict.tec_mars = predict(object = mars, newdata = small, type = "terms"),
  predict.tec_shapes = predict(object = shapes, newdata = small),
  fitted.tec_tree = fitted(object = tree), fitted.tec_forest = fitted(object = forest),
  residuals.tec_tree = residuals(object = number),
  augment.tec_tree = augment(x = tree, data = small),
  augment.tec_forest = augment(x = forest, data = small),
  augment.tec_boost = augment(x = boost, data = small),
  augment.tec_mars = augment(x = mars, data = small),
  augment.tec_rotation = augment(x = rotation, data = small),
  explain.tec_tree = explain(x = tree, newrow = small[1, ]),
  explain.tec_mars = explain(x = mars, newrow = small[1, ]),
  explain.tec_mars = explain(x = splines, newrow = small[1, ]),
  tec_shap.tec_tree = tec_shap(x = tree, newdata = small[1:3, ]),
  tec_shap.tec_forest = tec_shap(x = forest, newdata = small[1:3, ]),
  tec_shap.tec_boost = tec_shap(x = cyclic, newdata = small[1:3, ]),
  tec_shap.tec_boost = tec_shap(x = boost, newdata = small[1:3, ], class = "setosa"),
  tec_proximity = tec_proximity(fit = forest, data = small),
  tec_proximity = tec_proximity(fit = forest, oob = TRUE),
  tec_dependence = tec_dependence(fit = tree, predictor = "Petal.Width", data = small),
  tec_dependence = tec_dependence(fit = numbers, predictor = "Petal.Width", data = small),
  tec_shapes = tec_shapes(fit = cyclic, data = small), tec_shapes = tec_shapes(fit = boost),
  tec_gains = tec_gains(x = tree, data = small, class = "setosa"),
  tec_gains = tec_gains(x = number, data = small),
  # about a model
  importance.tec_tree = importance(x = tree),
  importance.tec_tree = importance(x = tree, type = "permutation", data = small),
  importance.tec_forest = importance(x = forest),
  importance.tec_forest = importance(x = forest, type = "permutation", data = small),
  importance.tec_boost = importance(x = boost), importance.tec_mars = importance(x = mars),
  importance.tec_mars = importance(x = mars, type = "permutation", data = small),
  importance.tec_rotation = importance(x = rotation),
  tec_rules = tec_rules(fit = tree), tec_intervals = tec_intervals(fit = tree),
  tec_components = tec_components(fit = rotation), tec_passes = tec_passes(fit = tree),
  n_trees = n_trees(x = forest), n_leaves = n_leaves(x = tree), tree_depth = tree_depth(x = tree),
  n_nodes = n_nodes(x = tree), as_rpart = as_rpart(fit = tree),
  as_tec_tree.default = as_tec_tree(x = tree), as_tec_forest.default = as_tec_forest(x = forest),
  as_tec_forest.tec_boost = as_tec_forest(x = boost, class = "setosa"),
  `[[.tec_tree` = tree[[i = 2]], `[[.tec_forest` = forest[[i = 2]],
  tidy.tec_tree = tidy(x = tree), glance.tec_tree = glance(x = tree),
  tidy.tec_forest = tidy(x = forest), glance.tec_forest = glance(x = forest),
  tidy.tec_boost = tidy(x = boost), glance.tec_boost = glance(x = boost),
  tidy.tec_mars = tidy(x = mars), glance.tec_mars = glance(x = mars),
  tidy.tec_rotation = tidy(x = rotation), glance.tec_rotation = glance(x = rotation),
  tidy.tec_tune = tidy(x = tune), glance.tec_tune = glance(x = tune),
  tidy.tec_comparison = tidy(x = comparison), tidy.tec_shap = tidy(x = pairs),
  summary.tec_tree = summary(object = tree), summary.tec_forest = summary(object = forest),
  summary.tec_rotation = summary(object = rotation), summary.tec_mars = summary(object = mars),
  variable.names.tec_tree = variable.names(object = tree),
  variable.names.tec_forest = variable.names(object = forest),
  variable.names.tec_mars = variable.names(object = mars),
  variable.names.tec_rotation = variable.names(object = rotation),
  labels.tec_tree = labels(object = tree), logLik.tec_tree = logLik(object = tree),
  coef.tec_mars = coef(object = mars), deviance.tec_tree = deviance(object = tree),
  formula.tec_tree = formula(x = tree), model.frame.tec_tree = model.frame(formula = tree),
  nobs.tec_tree = nobs(object = tree), terms.tec_tree = terms(x = tree),
  as.data.frame.tec_tree = as.data.frame(x = tree),
  as.data.frame.tec_cp_table = as.data.frame(x = penalties),
  as.data.frame.tec_comparison = as.data.frame(x = comparison),
  as.data.frame.tec_shap = as.data.frame(x = pairs),
  as.data.frame.tec_shapes = as.data.frame(x = shapes),
  as.data.frame.tec_tune = as.data.frame(x = tune),
  as.data.frame.tec_rules = as.data.frame(x = rules),
  as.list.tec_tree = as.list(x = tree), as.list.tec_forest = as.list(x = forest),
  all.equal.tec_tree = all.equal(target = tree, current = number),
  # texts
  print.tec_tree = print(x = tree), print.tec_forest = print(x = forest),
  print.tec_boost = print(x = boost), print.tec_rotation = print(x = rotation),
  print.tec_mars = print(x = mars), print.tec_tune = print(x = tune),
  print.tec_scores = print(x = scores), print.tec_shap = print(x = shap),
  print.tec_shap = print(x = pairs), print.tec_shapes = print(x = shapes),
  print.tec_comparison = print(x = comparison), print.tec_components = print(x = components),
  print.tec_cp_table = print(x = penalties), print.tec_gains = print(x = gains),
  print.tec_importance = print(x = weights_of), print.tec_rules = print(x = rules),
  print.tec_explanation = print(x = reasons), print.tec_code = print(x = code),
  print.tec_mars_explanation = print(x = mars_reasons), print.tec_view = print(x = page),
  print.summary.tec_tree = print(x = summary(tree)),
  print.summary.tec_forest = print(x = summary(forest)),
  print.summary.tec_mars = print(x = summary(mars)),
  print.summary.tec_rotation = print(x = summary(rotation)),
  print.tec_control = print(x = tec_control()), print.tec_engine = print(x = tec_engine()),
  print.tec_criterion = print(x = tec_criterion("gini")),
  print.tec_partition = print(x = partition),
  format.tec_tree = format(x = tree), format.tec_forest = format(x = forest),
  format.tec_boost = format(x = boost), format.tec_mars = format(x = mars),
  format.tec_rotation = format(x = rotation), format.tec_shapes = format(x = shapes),
  format.tec_partition = format(x = partition), format.tec_explanation = format(x = reasons),
  format.summary.tec_tree = format(x = summary(tree)),
  format.summary.tec_forest = format(x = summary(forest)),
  printcp.tec_tree = printcp(x = tree), str.tec_tree = str(object = tree),
  str.tec_forest = str(object = forest),
  # pictures
  plot.tec_tree = plot(x = tree), plot.tec_tree = plot(x = tree, direction = "right"),
  plot.tec_tree = plot(x = tree, type = "roc", data = small),
  plot.tec_tree = plot(x = tree, strips = TRUE),
  plot.tec_tree = plot(x = tree, style = "rpart.plot"),
  plot.tec_forest = plot(x = forest), plot.tec_forest = plot(x = forest, type = "importance"),
  plot.tec_forest = plot(x = several, type = "tuning"),
  plot.tec_boost = plot(x = chosen), plot.tec_rotation = plot(x = rotation),
  plot.tec_mars = plot(x = mars), plot.tec_mars = plot(x = splines),
  plot.tec_tune = plot(x = tune), plot.tec_tune = plot(x = tune, what = "tree"),
  plot.tec_scores = plot(x = scores), plot.tec_shap = plot(x = shap),
  plot.tec_shap = plot(x = shap, type = "waterfall"),
  plot.tec_shap = plot(x = shap, type = "dependence", predictor = "Petal.Width"),
  plot.tec_shap = plot(x = shap, type = "importance"),
  plot.tec_shapes = plot(x = shapes), plot.tec_picture = plot(x = picture),
  plot.tec_comparison = plot(x = comparison), plot.tec_dependence = plot(x = dependence),
  plot.tec_cp_table = plot(x = penalties), plot.tec_gains = plot(x = gains),
  plot.tec_importance = plot(x = weights_of), plotcp.tec_tree = plotcp(x = tree),
  plot_impurity = plot_impurity(), text.tec_tree = text(x = tree),
  autoplot.tec_tree = autoplot.tec_tree(object = tree),
  autoplot.tec_forest = autoplot.tec_forest(object = forest),
  autoplot.tec_forest = autoplot.tec_forest(object = forest, type = "importance"),
  autoplot.tec_boost = autoplot.tec_boost(object = chosen),
  autoplot.tec_mars = autoplot.tec_mars(object = mars),
  autoplot.tec_tune = autoplot.tec_tune(object = tune),
  autoplot.tec_shap = autoplot.tec_shap(object = shap),
  autoplot.tec_shapes = autoplot.tec_shapes(object = shapes),
  autoplot.tec_picture = autoplot.tec_picture(object = picture),
  autoplot.tec_dependence = autoplot.tec_dependence(object = dependence),
  autoplot.tec_cp_table = autoplot.tec_cp_table(object = penalties),
  autoplot.tec_gains = autoplot.tec_gains(object = gains),
  autoplot.tec_importance = autoplot.tec_importance(object = weights_of),
  tec_picture = tec_picture(fit = tree, type = "roc", data = small),
  tec_picture = tec_picture(fit = tree, type = "surface", data = small),
  tec_picture = tec_picture(fit = tree, type = "calibration", data = small, class = "setosa"),
  tec_view = tec_view(fit = tree), tec_view = tec_view(fit = forest),
  # files
  tec_sql = tec_sql(fit = tree), tec_sql = tec_sql(fit = forest, table = "t"),
  tec_json = tec_json(fit = tree), tec_code = tec_code(fit = tree),
  tec_pmml = tec_pmml(fit = sure), tec_onnx = tec_onnx(fit = sure),
  tec_pmml = tec_pmml(fit = forest),
  tec_from_json = tec_from_json(json = json),
  verify_export = verify_export(fit = tree, newdata = small, target = "r"),
  # numbers
  shannon_entropy = shannon_entropy(p = c(1, 3)), tsallis_entropy = tsallis_entropy(p = 1:2, q = 2),
  beta_entropy = beta_entropy(p = 1:2, beta = 2), gini_index = gini_index(p = 1:2),
  misclassification = misclassification(p = 1:2), q_log = q_log(x = 2, q = 2),
  q_exp = q_exp(x = 2, q = 2), cami = cami(x = classes, y = classes),
  cair = cair(x = classes, y = classes), effcami = effcami(x = classes, y = classes),
  conditional_entropy = conditional_entropy(x = classes, y = classes),
  joint_entropy = joint_entropy(x = classes, y = classes),
  mutual_information = mutual_information(x = classes, y = classes),
  information_gain = information_gain(x = classes, y = classes),
  gain_ratio = gain_ratio(x = classes, y = classes),
  split_information = split_information(p = 1:2),
  cross_entropy = cross_entropy(p = c(0.5, 0.5), r = c(0.4, 0.6)),
  kl_divergence = kl_divergence(p = c(0.5, 0.5), r = c(0.4, 0.6)),
  tec_partition = tec_partition(x = list(1:2, 3)),
  tec_partition_sum = tec_partition_sum(x = partition, y = tec_partition(list(4:5))),
  tec_meet = tec_meet(x = partition, y = partition),
  tec_is_finer = tec_is_finer(x = partition, y = partition)
)
