// THE list of criteria. R's allowed values, the check of the parameter, the table in the
// documentation and the loop of the tests all use it. A new criterion needs one header and one name
// in `Classification` or `Regression`.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "chi_square.hpp"
#include "deviation.hpp"
#include "shannon.hpp"
#include "tsallis.hpp"

namespace tectree {

using Classification =
    std::tuple<Tsallis, TsallisRatio, TsallisMutual, Shannon, Gini, GainRatio, CondEntropy, Cami,
               Cair, EffCami0, EffCami1, Beta, ChiSquare, LikelihoodRatio, RowEffects>;
using Regression = std::variant<LeastSquares, LeastAbsolute>;

namespace detail {
template <template <class...> class List, class... C>
void collect(std::vector<CriterionInfo>& out, const List<C...>*) {
  (out.push_back(C::info()), ...);
}

template <class... C>
std::unique_ptr<Criterion> make(const std::string& name, double parameter, double largest,
                                double smallest, const std::tuple<C...>*) {
  static_assert((is_criterion<C>() && ...));
  std::unique_ptr<Criterion> made;
  ((C::info().name == name ? void(made = std::make_unique<C>(parameter, largest, smallest))
                           : void()),
   ...);
  return made;
}

template <class... C>
std::optional<std::variant<C...>> find(const std::string& name, const std::variant<C...>*) {
  std::optional<std::variant<C...>> found;
  ((C::info().name == name ? void(found.emplace(C{})) : void()), ...);
  return found;
}
}  // namespace detail

inline Regression pick_regression(const std::string& name) {
  const auto found = detail::find(name, static_cast<const Regression*>(nullptr));
  if (!found) throw std::invalid_argument("no regression criterion is called '" + name + "'");
  return *found;
}

inline std::vector<CriterionInfo> all_criteria() {
  std::vector<CriterionInfo> out;
  detail::collect(out, static_cast<const Classification*>(nullptr));
  detail::collect(out, static_cast<const Regression*>(nullptr));
  return out;
}

// `largest`: total weight of the sample; `smallest`: least weight of a row.
inline std::unique_ptr<Criterion> make_criterion(const std::string& name, double parameter,
                                                 double largest, double smallest) {
  auto made =
      detail::make(name, parameter, largest, smallest, static_cast<const Classification*>(nullptr));
  if (!made) throw std::invalid_argument("no classification criterion is called '" + name + "'");
  return made;
}

}  // namespace tectree
