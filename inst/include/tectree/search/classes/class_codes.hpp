// The columns of a classification that are kept as a byte a row and cut in two by value. Their cuts
// are found from counts; those that may be the best are scored as a sorted column's are, from the
// rows in the order of their codes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "../scan/code_scan.hpp"
#include "class_node.hpp"

namespace tectree {

template <class Index, class W>
class ClassCodes : public ClassNode<Index, W> {
 public:
  using Node = ClassNode<Index, W>;
  using Count = typename W::Count;
  explicit ClassCodes(ClassRows<Index, W> rows) : Node(std::move(rows)) {}

  // Whether a small arena is to keep the codes of a binned column.
  bool scans_codes(std::uint32_t c) const { return keeps_codes(*problem_, c, this->counts_rows()); }

 protected:
  using Node::problem_;
  using Node::total_;
  using Node::value_;

  void column_of_codes(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                       CodeScan<Index, W>& scan, std::vector<Count>& total,
                       std::vector<BothSides<Count>>& sides, ColumnResult& result) const {
    count(arena, node, c, scan);
    result.constant = scan.groups() < 2;
    if (result.constant) return;
    const bool complete = scan.known() == node.size();
    if (!complete) scan.known_total(total);
    const std::vector<Count>& counted = complete ? total_ : total;
    const CutValue value = complete ? this->value_of_all(scan.known(), result)
                                    : this->value_of_known(total, scan.known(), result);
    with_form(this->form_, [&](auto form) {
      scan.template offer_cuts<decltype(form)::value>(
          counted, value, this->least_, sides, this->afresh_ == Afresh::always, result.contenders);
    });
    if (!result.contenders.empty()) this->open(result, value);
  }

  // The node's rows in the order of their codes, those without a value last; how many have one.
  std::size_t entries_of_codes(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                               std::vector<Entry<Index>>& out) const {
    const Binned& binned = arena.columns[c].binned;
    std::array<std::uint32_t, Binned::most + 2> start{};
    const Index* rows = arena.rows.data() + node.begin;
    for (std::size_t i = 0; i < node.size(); ++i) ++start[binned.code[rows[i]] + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    const std::size_t known = start[binned.missing()];
    out.resize(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::uint8_t code = binned.code[rows[i]];
      out[start[code]++] = {static_cast<Index>(code), rows[i]};
    }
    return known;
  }

 private:
  void count(const Arena<Index>& arena, const Range& node, std::uint32_t c,
             CodeScan<Index, W>& scan) const {
    const Binned& binned = arena.columns[c].binned;
    scan.count(CodedNode<Index>{binned.code.data(), arena.rows.data() + node.begin,
                                this->labels_here_.data(), node.size()},
               binned.values.size(), static_cast<std::size_t>(problem_->n_classes), this->w_);
  }
};

}  // namespace tectree
