# Tested in test-tec_rotation.R.
# Arguments of other packages that only tec_rotation() takes: see other-words.R for the entries.

rotation_words <- list(
  word("rotation", c("L", "ntree", "num.trees", "n_estimators"),
    "rotationForest, randomForest, ranger, scikit-learn", ours = "trees"
  ),
  word("rotation", "K", "rotationForest",
    advice = "give `group_size`, the columns in a group, not the number of groups",
    default = list(NULL)
  ),
  word("rotation", c("sample_weight", "case_weights"), "scikit-learn, tidymodels",
    ours = "weights"
  ),
  word("rotation", "verbose", "rotationForest",
    ours = "progress", convert = function(x) list(progress = !identical(as.logical(x), FALSE))
  )
)

other_words <- c(other_words, rotation_words)
