# A forest as a MiningModel: a segment for each tree, of which PMML takes the mean or the vote.

pmml_forest <- function(form) {
  outputs <- pmml_outputs(form)
  method <- if (form$by == "votes") "majorityVote" else "average"
  trees <- lapply(form$trees, pmml_tree, output = FALSE)
  pmml_mining(form, pmml_function(form), outputs, method, trees)
}

# A MiningModel of `models`, the lines of each.
pmml_mining <- function(form, task, outputs, method, models, weight = NULL, target = TRUE) {
  segment <- list(id = seq_along(models), weight = if (length(weight)) exact_number(weight))
  segment <- do.call(pmml_tag, c(list("Segment"), Filter(length, segment), close = FALSE))
  c(
    pmml_tag("MiningModel", functionName = task, close = FALSE), pmml_schema(form, target),
    if (length(outputs)) c("<Output>", outputs, "</Output>"),
    pmml_tag(
      "Segmentation",
      multipleModelMethod = method, missingPredictionTreatment = "returnMissing", close = FALSE
    ),
    unlist(Map(function(open, lines) c(open, "<True/>", lines, "</Segment>"), segment, models)),
    "</Segmentation>", "</MiningModel>"
  )
}
