// The policies by name.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "drop.hpp"
#include "fractional.hpp"
#include "majority.hpp"
#include "mode.hpp"
#include "surrogate.hpp"

namespace tectree {

struct SurrogateControl {
  SurrogateRule rule{5, true, false};
  bool majority_last = true;  // else a row that no surrogate decides goes no further
};

inline std::unique_ptr<MissingPolicy> make_missing_policy(const std::string& name,
                                                          const SurrogateControl& control = {}) {
  if (name == "majority") return std::make_unique<Majority>();
  if (name == "mode") return std::make_unique<Mode>();
  if (name == "drop") return std::make_unique<Drop>();
  if (name == "fractional") return std::make_unique<Fractional>();
  if (name == "surrogate")
    return std::make_unique<BySurrogate>(control.rule, control.majority_last);
  throw std::invalid_argument("no missing-value policy is called '" + name + "'");
}

// The policy with its usual settings.
inline const MissingPolicy& missing_policy(const std::string& name) {
  static const Majority majority;
  static const Mode mode;
  static const Drop drop;
  static const Fractional fractional;
  static const BySurrogate surrogate;
  if (name == "majority") return majority;
  if (name == "mode") return mode;
  if (name == "drop") return drop;
  if (name == "fractional") return fractional;
  if (name == "surrogate") return surrogate;
  throw std::invalid_argument("no missing-value policy is called '" + name + "'");
}

}  // namespace tectree
