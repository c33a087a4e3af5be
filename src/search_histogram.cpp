// The searches on codes, compiled here.
#include "searches.h"

#include <tectree/grow/make_histogram_search.hpp>
