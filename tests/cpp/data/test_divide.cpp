#include "data/divide_cases.h"
