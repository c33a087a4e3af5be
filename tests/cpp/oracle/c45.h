// Which split represents a column, and which column wins, by C4.5's rules.
#pragma once

#include "oracle/choose.h"

namespace oracle {

class C45Chooser {
 public:
  C45Chooser(const Problem& problem, const Rows& rows, double margin)
      : problem_(problem), setting_(problem.setting), rows_(rows), exact_(problem, rows, margin) {}

  // The largest score; a later column must beat it by more than 1e-6.
  std::optional<Found> winner() const {
    std::vector<Found> found;
    for (std::size_t c = 0; c < problem_.table.x.size(); ++c) {
      if (const auto of_column = best_of_column(c)) found.push_back(*of_column);
    }
    std::optional<Found> best;
    const double least = least_cut(found);
    for (const Found& f : found) {
      if (f.values.cut < least) continue;
      if (f.values.score - (best ? best->values.score : 0.0) > 1e-6) best = f;
    }
    return best;
  }

 private:
  bool by_level(std::size_t column) const {
    return problem_.table.kind[column] == Kind::nominal &&
           setting_.control.nominal != Nominal::ordered;
  }

  // Columns with a level for every third row do not count, unless all are like that.
  bool counts_in_mean(std::size_t column) const {
    const auto has_many = [&](std::size_t c) {
      return by_level(c) &&
             problem_.table.n_levels[c] >= 0.3 * static_cast<double>(problem_.table.rows());
    };
    for (std::size_t c = 0; c < problem_.table.x.size(); ++c) {
      if (!has_many(c)) return !has_many(column);
    }
    return true;
  }

  double least_cut(const std::vector<Found>& found) const {
    const std::string rule = Chooser::eligibility(setting_);
    std::vector<double> cut;
    for (const Found& f : found) {
      if (counts_in_mean(static_cast<std::size_t>(f.split.column))) cut.push_back(f.values.cut);
    }
    if (cut.empty()) return HUGE_VAL;
    if (rule == "all") return -HUGE_VAL;
    const double n = static_cast<double>(cut.size());
    double mean = 0, squares = 0;
    for (double c : cut) mean += c / n;
    for (double c : cut) squares += (c - mean) * (c - mean);
    const double sd = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return mean - (rule == "mean" ? 1e-3 : sd) - 1e-10 * std::max(1.0, std::fabs(mean));
  }

  std::optional<Found> best_of_column(std::size_t column) const {
    const bool several =
        problem_.table.kind[column] == Kind::numeric && setting_.control.intervals > 2;
    return by_level(column) || several ? of_divisions(column, several) : of_cuts(column);
  }

  // One branch per level; two groups of levels and several intervals, which C4.5 does not have, are
  // found by the exact rules.
  std::optional<Found> of_divisions(std::size_t column, bool several) const {
    std::optional<Found> found;
    if (by_level(column) && setting_.control.nominal == Nominal::multiway) {
      const auto all = exact_.all_of_column(column);
      if (!all.empty()) found = all[0].second;
    } else {
      found = exact_.best_of_column(column);
      if (found && !found->enough) found.reset();
    }
    if (!found) return found;
    Rows known = rows_;
    const std::vector<double> x = searched(problem_, rows_, column);
    known.erase(std::remove_if(known.begin(), known.end(),
                               [&](const Row& r) { return std::isnan(x[r.at]); }),
                known.end());
    const double weight = bag_of(problem_, known, Counting::search).weight();
    if (std::fabs(found->values.gain) * weight < 1e-6) found->values = {};
    double* threshold = found->split.breaks.data();
    if (several && found->split.breaks.size() == 1) *threshold = largest_value(column, *threshold);
    const double least = setting_.control.min_gain;
    if (least > 0 && found->values.gain <= least) found.reset();
    return found;
  }

  // The value of a nat of information in the criterion's units; 0 if the gain is something else.
  double unit() const {
    const std::string& name = setting_.criterion;
    const bool one = setting_.parameter == 1.0;
    if (name == "tsallis" || name == "tsallis_mutual") return one ? 1.0 : 0.0;
    if (name == "beta") return one ? 1 / std::log(2.0) : 0.0;
    if (name == "gini" || name == "tsallis_ratio") return 0.0;
    return 1 / std::log(2.0);
  }

  // The minimum on either side of a cut.
  double least_side(double known) const {
    const double share = 0.1 * known / problem_.table.n_classes;
    const double bucket = problem_.least_size();
    return share <= bucket + 1e-6 ? bucket : std::min(share, 25.0);
  }

  // The best cut, minus the price of many cuts.
  std::optional<Found> of_cuts(std::size_t column) const {
    const std::vector<double> x = searched(problem_, rows_, column);
    const Groups groups = groups_of(problem_, rows_, column, x);
    const UnknownCount count = count_unknown(problem_, rows_, unknown_rows(rows_, x));
    double size = 0.0;
    for (const Bag& bag : groups.bag) size += static_cast<double>(bag.size);
    const double least = least_side(size);
    Values best;
    std::size_t at = 0;
    double tried = 0.0;
    for (std::size_t cut = 1; cut < groups.value.size(); ++cut) {
      std::vector<Bag> sides(2);
      for (std::size_t g = 0; g < groups.value.size(); ++g) sides[g >= cut].add(groups.bag[g]);
      if (!(groups.value[cut - 1] + 1e-5 < groups.value[cut])) continue;
      if (sides[0].size < least - 1e-6 || sides[1].size < least - 1e-6) continue;
      ++tried;
      Values v = measure_of(setting_, sides, count.group);
      for (double* value : {&v.cut, &v.gain, &v.score}) *value *= count.share;
      if (v.cut - best.cut <= 1e-6) continue;
      best = v;
      at = cut;
    }
    double weight = 0.0;
    for (const Bag& bag : groups.bag) weight += bag.weight();
    weight /= count.share;
    const double price = tried > 0 ? unit() * std::log(tried) / weight : 0.0;
    if (at == 0 || best.cut - price < 1e-6 || best.gain - price <= setting_.control.min_gain)
      return std::nullopt;
    const double left = (best.gain - price) / best.gain;
    for (double* value : {&best.cut, &best.gain, &best.score}) *value *= left;
    Found out{value_split(problem_.table, groups, {at}), best};
    if (problem_.table.kind[column] == Kind::numeric)
      out.split.breaks[0] = largest_value(column, out.split.breaks[0]);
    return out;
  }

  // The largest value of the whole training set that does not exceed it.
  double largest_value(std::size_t column, double bound) const {
    double out = -HUGE_VAL;
    for (double v : problem_.table.x[column]) {
      if (v <= bound) out = std::max(out, v);
    }
    return out;
  }

  const Problem& problem_;
  const Setting& setting_;
  const Rows& rows_;
  const Chooser exact_;
};

inline std::optional<Found> choose(const Problem& problem, const Rows& rows, double margin) {
  if (problem.setting.control.rules == tectree::SearchControl::Rules::c45 &&
      problem.table.n_classes > 0)
    return C45Chooser(problem, rows, margin).winner();
  return Chooser(problem, rows, margin).winner();
}

}  // namespace oracle
