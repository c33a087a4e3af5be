#include "check.h"
#include "grow/cases_small.h"
#include "/tmp/ct/soak/cases_intervals.h"
