// Room search/c45/: C4.5's rules in place of the exact ones.
//
// Classification by the rules of C4.5 as a Task of the sorted search: a SortedTask of classes whose
// search of a column, and choice among columns, are its own.
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
 public:
  using Base = SortedTask<ClassStat<Index, W>>;
  using Count = typename W::Count;
  using Scratch = typename Base::Scratch;
  static constexpr bool shares_rows = false, own_choice = true;

  C45Task(Base base, std::shared_ptr<const c45::Facts> facts)
      : Base(std::move(base)), facts_(std::move(facts)) {}

  void tag(Arena<Index>& arena) {
    Base::tag(arena);
    keep_values(arena);
  }

  std::optional<std::size_t> choose(const std::vector<ColumnResult>& results,
                                    const std::vector<std::uint32_t>& columns,
                                    double& bound) const {
    return c45::winning_column(results, columns, this->eligible(), *facts_, bound);
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) {
    if (divides_plainly(this->control(), this->predictor(c).kind))
      return threshold(arena, node, c, scratch, result);
    // C4.5 knows neither intervals nor two groups of levels; the search is the exact one, the
    // measures are C4.5's.
    Base::column(arena, node, c, scratch, result, team);
    if (result.found) measure_again(scratch.groups, result);
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

  // ---- for people to look at: any one way to divide a column's groups --------------------------

  bool may_cut(const Groups& groups, std::uint32_t at, double left) const {
    const double whole = groups.whole_size, least = least_side(whole) - c45::clearly;
    return left >= least && whole - left >= least &&
           c45::apart(groups.value[at - 1], groups.value[at]);
  }
  Measures threshold_measures(const Partition& p, double tried) const {
    // The weight that the policy looks at: the node's, or that of the known rows.
    return c45::of_threshold(criterion(), p, p.n / p.share, tried);
  }

 private:
  const Criterion& criterion() const { return *this->problem_->criterion; }
  double min_gain() const { return this->problem_->control.min_gain; }

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

  void measure_again(const Groups& groups, ColumnResult& result) {
    Winner& winner = result.winner;
    const Measures m = c45::of_levels({winner.cut, winner.gain, winner.score}, groups.n);
    const bool may_gain_nothing = winner.split.kind == SplitKind::multiway;
    result.enough = (result.enough || may_gain_nothing) && c45::good_levels(m, min_gain());
    winner.cut = m.cut;
    winner.gain = m.gain;
    winner.score = m.score;
  }

  void threshold(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
                 ColumnResult& result) {
    const NodeColumn<Index> column = this->node_column(arena, node, c, scratch);
    if (column.constant()) return;
    this->known_total(column, scratch.total);
    const CutValue value = this->cut_value_of(column, scratch.total, result);
    const c45::Best best = best_of_entries(c, column, value, scratch);
    if (best.at == 0) return;
    this->each_partition(column, std::array{best}, scratch,
                         [&](std::uint32_t at, const Partition& partition) {
                           const Measures m = threshold_measures(partition, best.tried);
                           keep_place(result, at, m, c45::good_threshold(m, min_gain()));
                         });
  }

  c45::Best best_of_entries(std::uint32_t c, const NodeColumn<Index>& column, const CutValue& value,
                            Scratch& scratch) const {
    const double unit = criterion().unit();
    const double size =
        this->size_of(column, std::accumulate(scratch.total.begin(), scratch.total.end(), 0.0));
    const Count least = c45::least_side_count<W>(least_side(size));
    c45::Best best;
    with_apart(c, [&](auto is_apart) {
      with_form(this->form_, [&](auto form) {
        constexpr Form f = decltype(form)::value;
        if constexpr (f != Form::ratio) {
          const auto find = [&](auto& scan) {
            best = c45::scan_by_simd<f>(scan, column.e, value, unit, least, is_apart);
          };
          // By these rules a side may be smaller than a scan of other criteria's asks for.
          const bool smaller = least + (W::whole ? 0 : 2 * c45::clearly) < this->least_;
          if (!smaller && this->template by_simd<f>(column, scratch.total, scratch, find)) return;
        }
        best = c45::scan<f>(this->class_column(column, scratch.total, least, size), value, unit,
                            is_apart, scratch.sides);
      });
    });
    return best;
  }

  // use(is_apart), whether a cut may go between neighbouring entries of a column.
  template <class Use>
  void with_apart(std::uint32_t c, Use use) const {
    using E = Entry<Index>;
    if (!facts_->close[c]) return use([](const E& a, const E& b) { return a.rank != b.rank; });
    use([value = (*values_)[c].data()](const E& a, const E& b) {
      return a.rank != b.rank && c45::apart(value[a.rank], value[b.rank]);
    });
  }

  double least_side(double known) const {
    return c45::least_side(this->problem_->control.min_bucket, known, this->problem_->n_classes);
  }

  std::shared_ptr<const c45::Facts> facts_;
  // Of the columns that have close values: these by rank.
  std::shared_ptr<const std::vector<std::vector<double>>> values_;
};

}  // namespace tectree
