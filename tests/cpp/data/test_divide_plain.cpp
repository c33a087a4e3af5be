#define TECTREE_PLAIN
#include "data/divide_cases.h"
