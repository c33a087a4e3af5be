// THE list of criteria. R's allowed values, the check of the parameter, the documentation's table
// and the tests' loop all come from here. A new criterion: one header, one name in `Classification`
// or `Regression`.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "deviation.hpp"
#include "shannon.hpp"
#include "tsallis.hpp"

namespace tectree {

using Classification = std::tuple<Tsallis, TsallisRatio, TsallisMutual, Shannon, Gini, GainRatio,
                                  CondEntropy, Cami, Cair, EffCami0, EffCami1, Beta>;
using Regression = std::tuple<LeastSquares, LeastAbsolute>;

namespace detail {
template <class... C>
void collect(std::vector<CriterionInfo>& out, const std::tuple<C...>*) {
  (out.push_back(C::info()), ...);
}

template <class... C>
std::unique_ptr<Criterion> make(const std::string& name, double parameter, double largest,
                                double smallest, const std::tuple<C...>*) {
  std::unique_ptr<Criterion> made;
  ((C::info().name == name ? void(made = std::make_unique<C>(parameter, largest, smallest))
                           : void()),
   ...);
  return made;
}
}  // namespace detail

// use(C{}) with the regression criterion of this name, among those of a list.
template <class Criteria = Regression, std::size_t at = 0, class Use>
auto with_regression(const std::string& name, Use use) {
  using C = std::tuple_element_t<at, Criteria>;
  const bool found = C::info().name == name;
  if constexpr (at + 1 < std::tuple_size_v<Criteria>) {
    if (!found) return with_regression<Criteria, at + 1>(name, use);
  }
  if (!found) throw std::invalid_argument("no regression criterion is called '" + name + "'");
  return use(C{});
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
