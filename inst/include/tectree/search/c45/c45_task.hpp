// Room search/c45/: C4.5's rules instead of the exact ones.
//
// Classification by C4.5's rules: a SortedTask for classes with its own search of thresholds and
// its own choice among columns.
#pragma once

#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "../classes/class_stat.hpp"
#include "../sorted/sorted_task.hpp"
#include "c45_rules.hpp"

namespace tectree {

template <class Index, class W>
class C45Task : public SortedTask<ClassStat<Index, W>> {
  using Base = SortedTask<ClassStat<Index, W>>;
  using Count = typename W::Count;

 public:
  using Scratch = typename Base::Scratch;
  using Base::stat;
  static constexpr bool shares_rows = false, own_choice = true;

  C45Task(Base base, std::shared_ptr<const c45::Facts> facts)
      : Base(std::move(base)), facts_(std::move(facts)) {}

  using Base::tag;
  void tag(Arena<Index>& arena) {
    Base::tag(arena);
    keep_values(arena);
  }

  std::optional<std::size_t> choose(const std::vector<ColumnResult>& results,
                                    const std::vector<std::uint32_t>& columns,
                                    double& bound) const {
    return c45::winning_column(results, columns, stat().eligible(), *facts_, bound);
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) const {
    if (divides_plainly(stat().control(), this->predictor(c).kind))
      return threshold(arena, node, c, scratch, result);
    // C4.5 has neither intervals nor two groups of levels: the search is the exact one, with the
    // measures of C4.5.
    Base::column(arena, node, c, scratch, result, team);
    if (result.is_scored()) measure_again(scratch.groups, result);
  }

  template <class Small>
  auto take(const Taken<Index>& taken) const {
    return C45Task<Small, RealWeight>(Base::template take<Small>(taken), facts_);
  }
  template <class To>
  auto shrink(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    return C45Task<To, W>(Base::shrink(from, to, node, local), facts_);
  }

  // ---- for the list of candidates, of any way to divide a column's groups -----------------------

  bool may_cut(const Groups& groups, std::uint32_t at, double left) const {
    const double all = groups.total_size, least = least_side(all) - c45::clearly;
    return left >= least && all - left >= least &&
           c45::apart(groups.value[at - 1], groups.value[at]);
  }
  Measures threshold_measures(const Partition& p, double tried) const {
    // The weight depends on the policy: the node's, or that of the known rows.
    return c45::of_threshold(stat().criterion(), p, p.n / p.share, tried);
  }

 private:
  double min_gain() const { return stat().control().min_gain; }

  // Values by rank, if some are close.
  void keep_values(const Arena<Index>& arena) {
    auto kept = std::make_shared<std::vector<std::vector<double>>>(arena.columns.size());
    for (std::uint32_t c : arena.present) {
      if (!facts_->close[c]) continue;
      const Entry<Index>* e = arena.columns[c].entries.data();
      std::vector<double>& value = (*kept)[c];
      for (std::size_t i = 0, known = arena.columns[c].known(0, arena.n); i < known; ++i) {
        if (i == 0 || e[i].rank != e[i - 1].rank)
          value.push_back(this->predictor(c).value(this->sample_row(arena, e[i].row)));
      }
    }
    values_ = std::move(kept);
  }

  void measure_again(const Groups& groups, ColumnResult& result) const {
    Winner& winner = result.winner;
    const Measures m = c45::of_levels({winner.cut, winner.gain, winner.score}, groups.n);
    const bool may_gain_nothing = winner.split.kind == SplitKind::multiway;
    result.enough = (result.enough || may_gain_nothing) && c45::good_levels(m, min_gain());
    winner.cut = m.cut;
    winner.gain = m.gain;
    winner.score = m.score;
  }

  void threshold(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
                 ColumnResult& result) const {
    const NodeColumn<Index> column = this->node_column(arena, node, c, no_branch, scratch);
    if (column.constant()) return;
    auto& counted = scratch.stat;
    stat().known_total(column, counted.total);
    const CutValue value = stat().cut_value_of(column, counted.total, result);
    const c45::Best best = best_cut(c, column, value, counted);
    if (best.at == 0) return;
    stat().each_split(column, std::array{best}, counted,
                      [&](std::uint32_t at, const ClassExact& exact) {
                        const Measures m = threshold_measures(exact.partition(), best.tried);
                        result.keep_cut(at, m, c45::good_threshold(m, min_gain()));
                      });
  }

  c45::Best best_cut(std::uint32_t c, const NodeColumn<Index>& column, const CutValue& value,
                     typename Base::Stat::Scratch& counted) const {
    const auto& stat = this->stat();
    const double unit = stat.criterion().unit();
    const double size =
        stat.column_size(column, std::accumulate(counted.total.begin(), counted.total.end(), 0.0));
    const Count least = c45::least_side_count<W>(least_side(size));
    c45::Best best;
    with_apart(c, [&](auto is_apart) {
      with_form(stat.form(), [&](auto form) {
        constexpr Form f = decltype(form)::value;
        if constexpr (f != Form::ratio) {
          const auto find = [&](auto& scan) {
            best = c45::scan_by_simd<f>(scan, column.e, value, unit, least, is_apart);
          };
          // By these rules a side may have less than min_bucket, which the lanes do not support.
          const bool less = least + (W::whole ? 0 : 2 * c45::clearly) < stat.least();
          if (!less && stat.template scan_by_simd<f>(column, counted, find)) return;
        }
        best = c45::scan<f>(stat.class_column(column, counted.total, least, size), value, unit,
                            is_apart, counted.sides);
      });
    });
    return best;
  }

  // use(is_apart), whether a cut may lie between neighbouring entries of a column.
  template <class Use>
  void with_apart(std::uint32_t c, Use use) const {
    using E = Entry<Index>;
    if (!facts_->close[c]) return use([](const E& a, const E& b) { return a.rank != b.rank; });
    use([value = (*values_)[c].data()](const E& a, const E& b) {
      return a.rank != b.rank && c45::apart(value[a.rank], value[b.rank]);
    });
  }

  double least_side(double known) const {
    return c45::least_side(stat().control().min_bucket, known, stat().width());
  }

  std::shared_ptr<const c45::Facts> facts_;
  std::shared_ptr<const std::vector<std::vector<double>>> values_;
};

}  // namespace tectree
