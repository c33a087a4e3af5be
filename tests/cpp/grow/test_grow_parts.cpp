// Trees on parts of a sample, and by many criteria together: one program for the reason that
// test_grow_tree.cpp gives.
#include "grow/not_optimized.h"

#include "check.h"

#include "grow/cases_criteria_runs.h"
#include "grow/cases_seams.h"
#include "grow/cases_subsets.h"
