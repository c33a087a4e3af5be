// All of the core: grow trees, from rows or from counts, prune them, and predict.
#pragma once

#include "tectree/grow/after/list_candidates.hpp"
#include "tectree/grow/after/surrogates_after.hpp"
#include "tectree/grow/grow_from_counts.hpp"
#include "tectree/grow/grow_tree.hpp"
#include "tectree/grow/many/folds.hpp"
#include "tectree/grow/many/grow_forest.hpp"
#include "tectree/grow/safe_scale.hpp"
#include "tectree/grow/tuning/criteria_grower.hpp"
#include "tectree/missing/policies.hpp"
#include "tectree/predict/forest_walk.hpp"
#include "tectree/predict/predictor.hpp"
#include "tectree/prune/cost_complexity.hpp"
#include "tectree/prune/cross_validate.hpp"
#include "tectree/prune/error_based.hpp"
#include "tectree/prune/prunings.hpp"
#include "tectree/prune/reduced_error.hpp"
