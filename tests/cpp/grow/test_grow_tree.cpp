// Whole trees. One program for all of it, because making the growers for every criterion, weight
// and width of index is what takes the compiler's time; the tests are in the files it includes.
#include "grow/not_optimized.h"

#include "check.h"

#include "grow/cases_c45.h"
#include "grow/cases_candidates.h"
#include "grow/cases_edges.h"
#include "grow/cases_growth.h"
#include "grow/cases_intervals.h"
#include "grow/cases_large.h"
#include "grow/cases_missing.h"
#include "grow/cases_random.h"
#include "grow/cases_small.h"
