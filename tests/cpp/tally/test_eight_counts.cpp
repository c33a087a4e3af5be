#include "tally/eight_counts_cases.h"
