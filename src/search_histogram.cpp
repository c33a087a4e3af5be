// Compiles the searches on codes.
#include "searches.h"

#include <tectree/grow/make_histogram_search.hpp>
