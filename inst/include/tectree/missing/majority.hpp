// The search leaves rows without a value out; they go to the heaviest branch.
#pragma once

#include "policy.hpp"

namespace tectree {

class Majority : public MissingPolicy {};

}  // namespace tectree
