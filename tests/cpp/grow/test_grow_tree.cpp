// Whole trees, parts of trees, and the roads to them. One program for all of it, because making the
// growers for every criterion, weight and width of index takes the compiler a minute and more; the
// tests are in the files it includes.
#ifndef __clang__
#pragma GCC optimize("Og")  // which compiles in half the time, and runs nearly as fast
#endif

#include "check.h"

#include "grow/cases_adaboost.h"
#include "grow/cases_c45.h"
#include "grow/cases_candidates.h"
#include "grow/cases_counted.h"
#include "grow/cases_criteria_runs.h"
#include "grow/cases_edges.h"
#include "grow/cases_forest.h"
#include "grow/cases_growth.h"
#include "grow/cases_intervals.h"
#include "grow/cases_large.h"
#include "grow/cases_missing.h"
#include "grow/cases_own_criterion.h"
#include "grow/cases_random.h"
#include "grow/cases_rotation.h"
#include "grow/cases_seams.h"
#include "grow/cases_small.h"
#include "grow/cases_subsets.h"
#include "roads/cases.h"
