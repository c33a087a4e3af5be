# A forest as a MiningModel: a segment for each tree, of which PMML takes the mean or the vote.

pmml_forest <- function(form) {
  outputs <- pmml_outputs(form)
  segments <- lapply(seq_along(form$trees), function(i) {
    c(
      pmml_tag("Segment", id = i, close = FALSE), "<True/>",
      pmml_tree(form$trees[[i]], output = FALSE), "</Segment>"
    )
  })
  c(
    pmml_tag("MiningModel", functionName = pmml_function(form), close = FALSE), pmml_schema(form),
    if (length(outputs)) c("<Output>", outputs, "</Output>"),
    pmml_tag(
      "Segmentation",
      multipleModelMethod = if (form$by == "votes") "majorityVote" else "average",
      missingPredictionTreatment = "returnMissing", close = FALSE
    ),
    unlist(segments), "</Segmentation>", "</MiningModel>"
  )
}

abort_pmml_cost <- function() {
  abort_export(
    "PMML has no way to choose a class by the costs of a forest.",
    i = "Use {.fn tec_code}, {.fn tec_onnx} or {.fn tec_sql}, or grow the forest with \\
         {.arg class_weights} instead of {.arg cost}."
  )
}
