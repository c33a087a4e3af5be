#define TECTREE_PLAIN_COUNTS
#include "tally/eight_counts_cases.h"
