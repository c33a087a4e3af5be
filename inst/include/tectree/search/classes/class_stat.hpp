// Room search/classes/: how the sorted search counts classes.
//
// Classes as a Stat of the sorted search (see sorted_task.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../groups/class_worth.hpp"
#include "class_node.hpp"
#include "cut_scorer.hpp"

namespace tectree {

template <class Index, class W>
class ClassStat : public ClassNode<Index, W> {
 public:
  using Row = Index;
  using Node = ClassNode<Index, W>;
  using Rows = ClassRows<Index, W>;
  using Count = typename W::Count;
  struct Scratch {
    typename SimdNode<Index, W>::Scratch simd;
    std::vector<BothSides<Count>> sides;
    std::vector<Count> total;
    CutScorer scorer;
  };

  // See ClassRows.
  ClassStat(std::shared_ptr<const ClassProblem> problem, std::vector<std::uint16_t> label,
            std::vector<double> weight, std::vector<double> case_weight = {})
      : ClassStat(Rows(std::move(problem), std::move(label), std::move(weight),
                       std::move(case_weight))) {}
  explicit ClassStat(Rows rows) : Node(std::move(rows)) {}

  // The same rows by another criterion.
  static constexpr bool shares_rows = true;
  static constexpr bool groups_by_level = true;
  void look_at(std::shared_ptr<const ClassProblem> problem) {
    problem_ = std::move(problem);
    this->look_at_problem();
  }

  // See ClassNode.
  static constexpr bool may_preview = Node::narrow;
  bool preview(const Arena<Index>& arena, const Range& node, bool may_stop, Scratch& scratch,
               std::vector<ColumnResult>& results) const {
    if (this->lazy())
      return this->template preview_by_simd<false>(arena, node, may_stop, scratch.simd, results);
    return this->template preview_by_simd<true>(arena, node, may_stop, scratch.simd, results);
  }

  template <class Divide>
  void divide(Divide) {}

  template <class To>
  auto shrunk(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    return ClassStat<To, W>(Rows::shrunk(from, to, node));
  }
  template <class Small>
  auto taken(const Taken<Index>& some) const {
    return ClassStat<Small, RealWeight>(Rows::template taken<Small>(some));
  }

 protected:
  using Node::context_;
  using Node::form_;
  using Node::impurity_;
  using Node::label_;
  using Node::least_;
  using Node::problem_;
  using Node::total_;
  using Node::value_;
  using Node::w_;

  int width() const { return problem_->n_classes; }
  double put(double* tally, const Entry<Index>* first, const Entry<Index>* last) const {
    return this->add_classes(first, last, tally);
  }
  bool sized() const { return w_.sized(); }
  ClassWorth worth(const NodeColumn<Index>& column, const Groups& groups, Scratch&,
                   ColumnResult& result) const {
    ClassWorth out(context_, groups);
    result.impurity = out.impurity();
    out.rank_by(this->cut_value(groups.n, result.impurity, column.size, groups.unknown));
    return out;
  }

  static constexpr bool scans() { return true; }
  void scan(const NodeColumn<Index>& column, Scratch& scratch, ColumnResult& result) {
    this->known_total(column, scratch.total);
    const CutValue value = this->cut_value_of(column, scratch.total, result);
    scan_counted(column, value, scratch.total, scratch, result);
    if (!result.contenders.empty()) this->open(result, value);
  }

  template <class Cuts>
  void score(const NodeColumn<Index>& column, const Cuts& cuts, Scratch& scratch,
             const ColumnResult&, BestOf& best) const {
    this->known_total(column, scratch.total);
    each_partition(column, cuts, scratch, [&](std::uint32_t at, const Partition& partition) {
      best.add(at, problem_->criterion->measure(partition));
    });
  }
  // use(at, partition) for cuts of a column with the class counts `scratch.total`.
  template <class Cuts, class Use>
  void each_partition(const NodeColumn<Index>& column, const Cuts& cuts, Scratch& scratch,
                      Use use) const {
    const double n = std::accumulate(scratch.total.begin(), scratch.total.end(), 0.0);
    scratch.scorer.start(context_, scratch.total, this->unknown_weight(column.complete(), n));
    scratch.scorer.each(
        cuts, column.known, [&](std::size_t i) { return label_[column.e[i].row]; },
        [&](std::size_t i) { return static_cast<double>(w_.of(column.e[i].row)); }, use);
  }

  ClassColumn<Index, W> class_column(const NodeColumn<Index>& column,
                                     const std::vector<Count>& total, Count least,
                                     double size) const {
    return {column.e,    static_cast<std::uint32_t>(column.known), label_, w_, total, least, size,
            this->falls_};
  }

  // use(scan) where a column with these class counts is scanned eight cuts at a time; else false.
  template <Form form, class Use>
  bool by_simd(const NodeColumn<Index>& column, const std::vector<Count>& total, Scratch& scratch,
               Use use) const {
    if (!this->simd_.on()) return false;
    const auto rows =
        this->each_row(column.known, [e = column.e](std::size_t i) { return e[i].row; });
    return this->simd_.template with_column<form>(w_, total, column.complete() ? nullptr : &rows,
                                                  scratch.simd, use);
  }

 private:
  // `total`: the column's class counts.
  void scan_counted(const NodeColumn<Index>& column, const CutValue& value,
                    const std::vector<Count>& total, Scratch& scratch, ColumnResult& result) const {
    with_form(form_, [&](auto form) {
      constexpr Form f = decltype(form)::value;
      if constexpr (f != Form::ratio) {
        const auto offer = [&](auto& scan) {
          scan.template offer_cuts<f>(column.e, value, result.floor, result.contenders);
        };
        if (this->template by_simd<f>(column, total, scratch, offer)) return;
      }
      scan_cuts<f>(class_column(column, total, least_, this->size_of(column, 0.0)), value,
                   result.floor, scratch.sides, result.contenders);
    });
  }
};

}  // namespace tectree
