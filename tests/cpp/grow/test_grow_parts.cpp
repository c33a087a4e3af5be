// Trees on parts of a sample, and by many criteria together: one program for the reason that
// test_grow_tree.cpp gives.
#ifdef __clang__
#pragma clang optimize off
#else
#pragma GCC optimize("O0")
#endif

#include "check.h"

#include "grow/cases_forests.h"
#include "grow/cases_subsets.h"
