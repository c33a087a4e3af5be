// The columns of a small classification arena that are kept as a byte a row: their search, and the
// scores of their contenders.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "class_node.hpp"
#include "code_scan.hpp"
#include "code_scores.hpp"
#include "cut_scorer.hpp"

namespace tectree {

// Kept from node to node.
struct CodeScratch {
  CodeScan scan;
  std::vector<std::pair<double, double>> beside;  // the values beside each contender
};

template <class Index, class W>
class ClassCodes : public ClassNode<Index, W> {
 public:
  using Node = ClassNode<Index, W>;
  explicit ClassCodes(ClassRows<Index, W> rows) : Node(std::move(rows)) {}

  // Whether a small arena may keep the codes of a binned column: one cut in two by value.
  bool scans_codes(std::uint32_t c) const {
    const Column& column = problem_->frame->columns[c];
    return std::is_same_v<W, UnitWeight> && problem_->n_classes >= 2 &&
           problem_->n_classes <= CodeScan::most_classes &&
           divided_by_value(problem_->control, column.kind) &&
           (column.kind != Kind::numeric || problem_->control.intervals <= 2);
  }

 protected:
  using Node::context_;
  using Node::problem_;
  using Node::total_;
  using Node::value_;

  void column_of_codes(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                       CodeScratch& scratch, Slot& slot) {
    count(arena, node, c, scratch.scan);
    const auto rows = static_cast<std::uint32_t>(node.size());
    with_form(this->form_, [&](auto form) {
      constexpr Form f = decltype(form)::value;
      slot.constant = !scratch.scan.template offer_cuts<f>(total_, rows, this->code_tables(),
                                                           value_, this->least_, slot.contenders);
    });
    if (slot.contenders.empty()) return;
    slot.impurity = this->impurity_;
    slot.known = rows;
    this->open(slot, value_);
  }

  // Scores the contenders of such a column.
  void resolve_codes(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                     CodeScratch& scratch, CutScorer& scorer, Slot& slot) {
    scorer.start(context_, total_, slot.impurity, {});
    count(arena, node, c, scratch.scan);
    const std::vector<Contenders::Cut>& cuts = slot.contenders.settle();
    score_codes(scratch.scan.counts(), arena.columns[c].binned.values, problem_->n_classes, cuts,
                scorer, scratch.beside);
    slot.open = false;
    const BestOf* best = scorer.best();
    if (best == nullptr) return;
    const auto [below, above] = scratch.beside[best->at()];
    keep_cut(slot, static_cast<int>(c), problem_->frame->columns[c].kind, below, above,
             best->measures());
    const double at = cuts[best->at()].at;
    slot.winner.branch_weight.assign({at, static_cast<double>(node.size()) - at});
  }

 private:
  void count(const Arena<Index>& arena, const Range& node, std::uint32_t c, CodeScan& scan) const {
    const Binned& binned = arena.columns[c].binned;
    scan.count(CodedNode<Index>{c, arena.order, binned.code.data(), this->label_, arena.rows.data(),
                                node.begin, node.end, this->small_.classes.data()},
               binned.values.size());
  }
};

}  // namespace tectree
