// The policies by name.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "policies.hpp"

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

// The policy with its usual settings, made when it is first asked for; by one thread at a time.
inline const MissingPolicy& missing_policy(const std::string& name) {
  static std::map<std::string, std::unique_ptr<MissingPolicy>> made;
  std::unique_ptr<MissingPolicy>& policy = made[name];
  if (!policy) policy = make_missing_policy(name);
  return *policy;
}

}  // namespace tectree
