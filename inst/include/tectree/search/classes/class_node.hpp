// The node that a classification's search looks at: what it counts, what a cut there measures, and
// what the search asks of the criterion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "../groups/class_groups.hpp"
#include "../scan/class_scan.hpp"
#include "../simd/simd_node.hpp"
#include "class_rows.hpp"
#include "score_spans.hpp"

namespace tectree {

template <class Index, class W>
class ClassNode : public ClassRows<Index, W> {
 public:
  using Rows = ClassRows<Index, W>;
  using Count = typename W::Count;

  explicit ClassNode(Rows rows)
      : Rows(std::move(rows)), simd_(*this->labels_, this->classes(), this->counts_rows(), [this] {
          return this->row_weights();
        }) {
    look_at_problem();
  }

  // Puts the rows' classes into the arena's entries where cuts may be valued eight at a time, by
  // this criterion or another of the same rows.
  void tag(Arena<Index>& arena) const {
    if constexpr (narrow) {
      if (!simd_.tagged()) return;
      for (std::uint32_t c : arena.present) {
        for (auto& e : arena.columns[c].entries) e.tag = simd_.tag_of(label_[e.row]);
      }
    }
  }

  Eligible eligible() const { return problem_->eligible(); }
  bool lazy() const { return problem_->best_cut_wins(); }
  // A cut of rows that count 1 tells its sizes by its place.
  bool has_spans() const {
    return this->counts_rows() && problem_->criterion->form() == Form::linear;
  }
  bool span_of_cut(const Range& node, ColumnResult& result) const {
    if (result.known != node.size()) return false;
    const double unit = problem_->criterion->unit();
    return tectree::span_of_cut(unit, problem_->control.min_gain, value_, result);
  }
  void span_of_score(ColumnResult& result) const {
    tectree::span_of_score(*problem_->criterion, problem_->n_classes, value_, problem_->table.phi,
                           result);
  }
  double impurity() const { return impurity_; }
  // What measures a cut of all the node's rows.
  const CutValue& value() const { return value_; }
  // Whether a split can gain anything.
  bool varies() const { return true; }
  // Whether the result's best cut leaves two pure branches, so that nothing can beat it. Only where
  // every row has a value: the known rows of another column may have more to gain.
  bool unbeatable(const ColumnResult& result) const {
    const double off = 2 * (value_.drift + value_.blurred) + 1e-12 * value_.s;
    return result.open && result.high >= value_.s + value_.slack - off && off < 1e-10 * value_.s &&
           problem_->criterion->pure_is_best();
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    this->count(arena, node);
    begin_counted(node.size());
    simd_.begin(w_, total_,
                each_row(node.size(), [rows = arena.rows.data() + node.begin](std::size_t i) {
                  return rows[i];
                }));
  }
  // A node of which only the class counts are known.
  void begin(const std::vector<Count>& total, std::size_t size) {
    w_ = this->weights();
    total_ = total;
    begin_counted(size);
  }

  const ClassContext& context() const { return context_; }
  const SearchControl& control() const { return problem_->control; }

 protected:
  using Rows::label_;
  using Rows::problem_;
  using Rows::total_;
  using Rows::w_;

  void look_at_problem() {
    context_ = {problem_->criterion.get(), &problem_->control, {}};
    context_.counts = {&problem_->criterion->kernel(),
                       problem_->table.empty() ? nullptr : &problem_->table, problem_->half_least};
    form_ = problem_->criterion->form();
    const double q = problem_->criterion->kernel().q();
    falls_ = q <= 0.0;
    joint_ = !falls_ && (form_ == Form::power || q == 1.0);
    least_ = least_count<W>(problem_->control.min_bucket);
    simd_.look_at(*problem_, least_, joint_);
    blur_ = !W::whole && problem_->curve ? problem_->curve->error(problem_->n_classes) : 0.0;
  }

  CutValue cut_value(double n, double impurity, std::size_t steps,
                     const UnknownWeight& unknown = {}) const {
    const Criterion& criterion = *problem_->criterion;
    CutValue value(criterion, impurity / criterion.unit(), n, steps, W::whole,
                   problem_->control.min_gain, unknown, eligible() != Eligible::all);
    value.blur(blur_);
    return value;
  }
  // That of a column of which the rows with a value have these class counts.
  CutValue cut_value_of(const NodeColumn<Index>& column, const std::vector<Count>& total,
                        ColumnResult& result) const {
    result.impurity = impurity_;
    result.known = static_cast<std::uint32_t>(column.known);
    if (column.complete()) return value_;
    const std::vector<double> counts(total.begin(), total.end());
    const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
    result.impurity = problem_->criterion->impurity(counts.data(), problem_->n_classes, n);
    return cut_value(n, result.impurity, column.known, unknown_weight(false, n));
  }

  UnknownWeight unknown_weight(bool complete, double known) const {
    return {problem_->control.unknown, complete, known, node_weight_};
  }

  void open(ColumnResult& result, const CutValue& value) const {
    result.open = true;
    result.low = result.contenders.floor();
    result.high = result.contenders.high();
    if (form_ == Form::ratio) return;
    const double best = result.high - value.slack;
    result.most = (best + value.drift + value.blurred) * problem_->criterion->unit();
  }

  static constexpr bool narrow = sizeof(Index) <= 2;
  bool divides_plainly(std::uint32_t c) const {
    return tectree::divides_plainly(problem_->control, problem_->frame->columns[c].kind);
  }

  // As SimdNode asks for the classes of n rows.
  template <class RowAt>
  auto each_row(std::size_t n, RowAt row_at) const {
    return [label = label_, n, row_at](auto use) {
      for (std::size_t i = 0; i < n; ++i) use(row_at(i), label[row_at(i)]);
    };
  }

  void begin_counted(std::size_t size) {
    counts_.assign(total_.begin(), total_.end());
    const double n = node_weight_ = std::accumulate(counts_.begin(), counts_.end(), 0.0);
    impurity_ = problem_->criterion->impurity(counts_.data(), problem_->n_classes, n);
    value_ = cut_value(n, impurity_, size);
  }

  // Tells where the best cut measures of the node's columns lie, in their results' units and
  // without contenders: -Inf where there is no cut, up to Inf where only the search tells.
  // `may_stop`: not behind a column that none may beat. `placed`: opens the results whose best cut
  // has one place, with the spans of their cuts, where both sides of a cut weigh the same. False
  // where it would tell nothing.
  template <bool placed>
  bool preview_by_simd(const Arena<Index>& arena, const Range& node, bool may_stop,
                       typename SimdNode<Index, W>::Scratch& scratch,
                       std::vector<ColumnResult>& results) const {
    if (!simd_.on() || (placed && !joint_)) return false;
    const double enough = may_stop ? value_.s : HUGE_VAL;
    const auto known = static_cast<std::uint32_t>(node.size());
    simd_.with_scan(scratch, [&](auto& scan, const auto& sides) {
      add_columns(arena, node, scan, results);
      // The node has no tables where all its columns are on codes.
      if (scan.empty()) return;
      with_form(form_, [&](auto form) {
        constexpr Form f = decltype(form)::value;
        if constexpr (f != Form::ratio && (!placed || f == Form::linear)) {
          scan.template start<f>(sides);
          scan.template best<f, placed>(
              value_, enough,
              [&](std::uint32_t c, const CutValue::Estimate& best, std::uint32_t place) {
                ColumnResult& result = results[c];
                result.low = best.low;
                result.high = best.high;
                if (placed && place > 0) this->open_at(place, known, result);
              });
        }
      });
    });
    return true;
  }
  template <class Scan>
  void add_columns(const Arena<Index>& arena, const Range& node, Scan& scan,
                   std::vector<ColumnResult>& results) const {
    scan.clear();
    for (std::uint32_t c : *node.columns) {
      ColumnResult& result = results[c];
      result.reset();
      result.low = -HUGE_VAL;
      result.high = HUGE_VAL;
      if (!in_plain_order(arena, c)) continue;
      const auto* e = arena.columns[c].entries.data() + node.begin;
      if (node.size() < 2 || e[0].rank == e[node.size() - 1].rank) {
        result.high = -HUGE_VAL;
      } else {
        scan.add(c, e);
      }
    }
  }
  // Where the gain is surely enough.
  void open_at(std::uint32_t place, std::uint32_t known, ColumnResult& result) const {
    result.impurity = impurity_;
    result.known = known;
    result.open =
        tectree::span_of_cut(problem_->criterion->unit(), problem_->control.min_gain, result);
    if (result.open) result.told_at = place;
  }
  // Whether the column's rows stand in order, all with a value, and are cut in two.
  bool in_plain_order(const Arena<Index>& arena, std::uint32_t c) const {
    return !arena.columns[c].has_missing && divides_plainly(c);
  }

  ClassContext context_;
  std::vector<double> counts_;  // of the node
  double impurity_ = 0.0, node_weight_ = 0.0;
  CutValue value_;
  Form form_;
  bool falls_;  // phi does, so that sums are made afresh at every cut
  Count least_;
  bool joint_;         // both sides of a cut weigh the same
  double blur_ = 0.0;  // how far off a gain is by interpolated phi
  SimdNode<Index, W> simd_;
};

}  // namespace tectree
