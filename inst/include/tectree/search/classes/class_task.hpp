// Room search/classes/: classes as the sorted search sees them.
//
// Classification as a Task of the sorted search.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "../groups/class_worth.hpp"
#include "../missing/filled_entries.hpp"
#include "class_node.hpp"
#include "cut_scorer.hpp"

namespace tectree {

// Of the scans of a small arena's columns.
struct SmallScratch {
  SideTables eight;
  SimdScan simd_scan;
};

template <class Index, class W>
class ClassTask : public ClassNode<Index, W> {
 public:
  using Node = ClassNode<Index, W>;
  using Rows = ClassRows<Index, W>;
  using Count = typename W::Count;
  // Kept from node to node, so that a small node asks for no memory.
  struct Scratch {
    UnitCut::Scratch unit;
    UnitScan scan;
    std::conditional_t<Node::narrow, SmallScratch, Nothing> small;
    std::vector<BothSides<Count>> sides;
    Groups groups;
    std::vector<Count> total;
    std::vector<double> left, right;
    Partition partition;
    CutScorer scorer;
    std::vector<Entry<Index>> filled;
    double filling = 0.0;  // the value that stands in for those missing
  };

  // See ClassRows.
  ClassTask(std::shared_ptr<const ClassProblem> problem, std::vector<std::uint16_t> label,
            std::vector<double> weight, std::vector<double> case_weight = {})
      : ClassTask(Rows(std::move(problem), std::move(label), std::move(weight),
                       std::move(case_weight))) {}
  explicit ClassTask(Rows rows) : Node(std::move(rows)) {}

  // The same rows by another criterion.
  ClassTask by(std::shared_ptr<const ClassProblem> problem) const {
    ClassTask out(*this);
    out.problem_ = std::move(problem);
    out.look_at_problem();
    return out;
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) {
    if (this->divides_plainly(c) && !arena.columns[c].entries.empty())
      return column_of_entries(arena, node, c, scratch, result);
    Groups& groups = scratch.groups;
    groups_of(arena, node, c, groups);
    ClassWorth worth(context_, groups);
    result.impurity = worth.impurity();
    worth.rank_by(this->cut_value(groups.n, result.impurity, node.size(), groups.unknown));
    search_groups(worth, {problem_->frame->columns[c], c, node.stream}, team, result);
  }

  // See ClassNode.
  static constexpr bool may_preview = Node::narrow;
  bool preview(const Arena<Index>& arena, const Range& node, bool may_stop, Scratch& scratch,
               std::vector<ColumnResult>& results) const {
    SimdScan& scan = scratch.small.simd_scan;
    return this->lazy()
               ? this->template preview_by_simd<false>(arena, node, may_stop, scan, results)
               : this->template preview_by_simd<true>(arena, node, may_stop, scan, results);
  }

  // Scores a column's contenders, or the cut that a preview told, from their counts.
  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
               ColumnResult& result) {
    std::size_t known = 0;
    const Entry<Index>* e = searched_entries(arena, node, c, known, scratch);
    this->known_total(e, node, known, scratch.total);
    const UnknownWeight unknown = this->unknown_weight(
        known == node.size(), std::accumulate(scratch.total.begin(), scratch.total.end(), 0.0));
    CutScorer& scorer = scratch.scorer;
    scorer.start(context_, scratch.total, result.impurity, unknown);
    if (result.place > 0) result.contenders.offer(result.place, result.low, result.high);
    scorer.add_sorted(
        result.contenders.settle(), [&](std::size_t i) { return label_[e[i].row]; },
        [&](std::size_t i) { return static_cast<double>(w_.of(e[i].row)); });
    result.open = false;
    result.place = 0;
    if (const BestOf* best = scorer.best()) keep_place(result, *best);
  }

  // The split of a column of which the place of the best cut is known.
  void finish(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result) {
    const std::uint32_t at = result.place;
    std::size_t known = 0;
    const Entry<Index>* e = searched_entries(arena, node, c, known, scratch);
    const auto value = [&](const Entry<Index>& entry) {
      const double x = this->raw(arena, c, entry.row);
      return std::isnan(x) ? scratch.filling : x;
    };
    finish_cut(result, static_cast<int>(c), problem_->frame->columns[c].kind, value(e[at - 1]),
               value(e[at]));
    result.winner.branch_weight.assign({static_cast<double>(at), static_cast<double>(known - at)});
    if (this->counts_rows()) return;
    weigh_branches(e, known, at, result);
  }

  template <class Divide>
  void divide(Divide) {}

  template <class To>
  auto shrink(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    return ClassTask<To, W>(this->shrunk(from, to, node));
  }
  template <class Small>
  auto take(const Taken<Index>& some) const {
    return ClassTask<Small, RealWeight>(this->template taken<Small>(some));
  }

  // A column's groups in a node, as the searches see them.
  void groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c, Groups& out) const {
    collect_groups(
        arena, c, problem_->frame->columns[c], *problem_->sample, node.begin, node.end,
        problem_->n_classes, out,
        [&](double* tally, const Entry<Index>* first, const Entry<Index>* last) {
          return this->add_classes(first, last, tally);
        },
        this->fills(arena, c));
    if (w_.sized()) out.weigh_by_counts();
    out.unknown = this->unknown_weight(out.complete, out.n);
  }

 protected:
  using Node::afresh_;
  using Node::context_;
  using Node::form_;
  using Node::impurity_;
  using Node::label_;
  using Node::least_;
  using Node::narrow;
  using Node::problem_;
  using Node::total_;
  using Node::value_;
  using Node::w_;

  void weigh_branches(const Entry<Index>* e, std::size_t known, std::size_t at,
                      ColumnResult& result) const {
    result.winner.branch_weight.assign(2, 0.0);
    for (std::size_t i = 0; i < known; ++i)
      result.winner.branch_weight[i >= at] += this->weight_of(e[i].row);
  }

  // A column's entries as they are searched, and how many have a value: where missing values are
  // filled in, all have.
  const Entry<Index>* searched_entries(const Arena<Index>& arena, const Range& node,
                                       std::uint32_t c, std::size_t& known,
                                       Scratch& scratch) const {
    known = arena.columns[c].known(node.begin, node.end);
    const Entry<Index>* e = arena.columns[c].entries.data() + node.begin;
    if (known == 0 || known == node.size() || !this->fills(arena, c)) return e;
    const bool median = problem_->frame->columns[c].kind == Kind::numeric;
    const auto weight_of = [&](Index row) { return this->weight_of(row); };
    const std::size_t end = end_of_filling(e, known, median, weight_of, scratch.left);
    fill_entries(e, known, node.size(), end, scratch.filled);
    scratch.filling = this->raw(arena, c, e[end - 1].row);
    known = node.size();
    return scratch.filled.data();
  }

  void column_of_entries(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                         Scratch& scratch, ColumnResult& result) {
    std::size_t known = 0;
    const Entry<Index>* e = searched_entries(arena, node, c, known, scratch);
    if (known < 2 || e[0].rank == e[known - 1].rank) {
      result.constant = true;
      return;
    }
    const auto scan = [&](const CutValue& value, const std::vector<Count>& total) {
      if constexpr (W::whole) {
        if (w_.unit()) return scan_units(e, known, value, total, scratch, result);
      }
      with_form(form_, [&](auto form) {
        const MovingCut<W> cut(w_, total, scratch.sides, afresh_ == Afresh::always);
        scan_cuts<decltype(form)::value>(e, static_cast<std::uint32_t>(known), label_, w_, value,
                                         least_, cut, result.contenders,
                                         this->size_of(e, known, 0.0));
      });
    };
    const bool complete = known == node.size();
    if (!complete) this->known_total(e, node, known, scratch.total);
    const CutValue value = complete ? this->value_of_all(known, result)
                                    : this->value_of_known(scratch.total, known, result);
    scan(value, complete ? total_ : scratch.total);
    if (result.contenders.empty()) return;
    this->open(result, value);
  }

  void scan_units(const Entry<Index>* e, std::size_t known, const CutValue& value,
                  const std::vector<std::uint32_t>& total, Scratch& scratch,
                  ColumnResult& result) const {
    const auto n = static_cast<std::uint32_t>(known);
    with_form(form_, [&](auto form) {
      constexpr Form f = decltype(form)::value;
      if constexpr (Node::narrow && f != Form::ratio) {
        if (this->by_simd_)
          return this->template scan_by_simd<f>(e, n, value, total, scratch.small, result);
      }
      const UnitColumn<Index> column{e,     label_, n,       problem_->table,
                                     value, least_, afresh_, result.floor};
      scratch.scan.template offer_cuts<f>(column, UnitCut(problem_->table, total, scratch.unit),
                                          result.contenders);
    });
  }

  template <Form form, class Small>
  void scan_by_simd(const Entry<Index>* e, std::uint32_t n, const CutValue& value,
                    const std::vector<std::uint32_t>& total, Small& small,
                    ColumnResult& result) const {
    SimdScan& scan = small.simd_scan;
    scan.template start<form>(this->tables_of(total, small.eight), n, this->least_of_side());
    scan.template offer_cuts<form>(e, value, result.floor, result.contenders);
  }
};

}  // namespace tectree
