// A table of records with their frequencies, which answers the questions of a ledger as a database
// would.
#pragma once

#include <tectree/grow/counted/classes_of_cells.hpp>
#include <tectree/grow/counted/ledger.hpp>
#include <tectree/grow/counted/numbers_of_cells.hpp>
#include <tectree/grow/grow_tree.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace support {

template <class Chooser>
class LedgerTable {
 public:
  using Cell = typename Chooser::Cell;
  using Ledger = tectree::Ledger<Chooser>;
  static constexpr bool of_classes = std::is_same_v<Cell, tectree::ClassCell>;
  static constexpr int unit_bits = 40;  // numbers are multiples of 2^-40

  // The records are the problem's sample; their weights are their frequencies.
  explicit LedgerTable(const tectree::Problem& problem) : problem_(problem), bare_(problem) {
    tectree::Team team(1);
    for (const tectree::CodedColumn& made :
         tectree::make_codes(problem.frame, problem.sample, team)) {
      code_.push_back(made.binned.code);
      codes_->push_back(tectree::exact_codes(made.binned.values));
    }
    for (tectree::Column& column : bare_.frame.columns)
      column.real = nullptr, column.whole = nullptr;
    bare_.frame.n_rows = 0;
    bare_.sample = tectree::Sample();
    bare_.response.code = nullptr;
    bare_.response.number = nullptr;
  }

  // Gives numeric columns one code for each `per` values.
  void make_bins(int per) {
    for (std::size_t c = 0; c < codes_->size(); ++c) {
      if (problem_.frame.columns[c].kind != tectree::Kind::numeric) continue;
      tectree::CodedColumn& coded = (*codes_)[c];
      std::vector<double> upper;
      for (int k = 0; k < coded.codes; ++k) {
        if ((k + 1) % per == 0 || k + 1 == coded.codes) upper.push_back(coded.binned.values[k]);
      }
      for (std::uint8_t& code : code_[c])
        code = static_cast<std::uint8_t>(code == coded.codes ? upper.size() : code / per);
      coded = tectree::exact_codes(upper);
      coded.exact = false;
    }
  }

  // A ledger that knows the cells of the root, but no value of a row. `looks`: into bins; `few`:
  // rows of a node that is grown from its rows.
  std::unique_ptr<Ledger> ledger(std::vector<Cell> root, bool looks = false,
                                 double few = 0.0) const {
    tectree::Team team(1);
    std::shared_ptr<const Chooser> chooser;
    if constexpr (of_classes) {
      chooser = std::make_shared<Chooser>(bare_, codes_, root, team);
    } else {
      chooser = std::make_shared<Chooser>(bare_, codes_, 0.0, std::ldexp(1.0, -unit_bits));
    }
    return std::make_unique<Ledger>(std::move(chooser), std::move(root), bare_.seed, few, looks);
  }
  std::unique_ptr<Ledger> ledger() const { return ledger(all_cells()); }

  std::vector<Cell> all_cells() const {
    return cells([](std::size_t) { return true; });
  }
  // Whether every split above the node sends the record there.
  bool sends(const Ledger& ledger, int id, std::size_t i) const {
    const auto& entries = ledger.entries();
    for (int at = id; entries[at].parent >= 0; at = entries[at].parent) {
      const auto& parent = entries[entries[at].parent];
      const tectree::Split& split = parent.winner->split;
      int branch = tectree::route(split.view(), problem_.frame.columns[split.column], i);
      if (branch == tectree::no_branch) branch = parent.missing;
      if (branch != entries[at].branch) return false;
    }
    return true;
  }
  std::vector<Cell> cells_of(const Ledger& ledger, int id) const {
    return cells([&](std::size_t i) { return sends(ledger, id, i); });
  }

  // Divides the values of a bin, or of a part of one, among at most `most` parts.
  std::vector<tectree::ValueCell<Cell>> parts_of(const Ledger& ledger, int id,
                                                 const tectree::OpenBin& bin, int most) const {
    const auto value = [&](std::size_t i) { return problem_.frame.columns[bin.column].value(i); };
    const auto inside = [&](std::size_t i) {
      return sends(ledger, id, i) && code_[bin.column][i] == bin.code &&
             (bin.whole() || (bin.least <= value(i) && value(i) <= bin.most));
    };
    std::vector<double> values;
    for (std::size_t i = 0; i < problem_.sample.size; ++i) {
      if (inside(i)) values.push_back(value(i));
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<tectree::ValueCell<Cell>> out;
    const std::size_t n = values.size(), parts = std::min(n, static_cast<std::size_t>(most));
    for (std::size_t p = 0; p < parts; ++p) {
      const double first = values[p * n / parts], last = values[(p + 1) * n / parts - 1];
      for (const Cell& cell : cells(
               [&](std::size_t i) { return inside(i) && first <= value(i) && value(i) <= last; })) {
        if (cell.column == bin.column) out.push_back({cell, last, first});
      }
    }
    return out;
  }

  const tectree::Codes& codes() const { return *codes_; }

 private:
  template <class Here>
  std::vector<Cell> cells(Here here) const {
    std::map<std::pair<std::pair<std::size_t, int>, int>, Cell> cells;  // column, code, class
    for (std::size_t i = 0; i < problem_.sample.size; ++i) {
      if (!here(i)) continue;
      for (std::size_t c = 0; c < codes_->size(); ++c) add(c, code_[c][i], i, cells);
    }
    std::vector<Cell> out;
    for (const auto& cell : cells) out.push_back(cell.second);
    return out;
  }
  template <class Cells>
  void add(std::size_t c, int code, std::size_t i, Cells& cells) const {
    const int label = of_classes ? problem_.response.code[i] - 1 : 0;
    const double n = problem_.sample.weight(i);
    Cell& cell = cells[{{c, code}, label}];
    cell.column = static_cast<std::uint32_t>(c);
    cell.code = code;
    cell.n += n;
    cell.rows += n;
    if constexpr (of_classes) {
      cell.label = label;
    } else {
      const tectree::WideInt times(n),
          y(std::round(std::ldexp(problem_.response.number[i], unit_bits)));
      cell.sum += times * y;
      cell.squares += times * (y * y);
    }
  }

  const tectree::Problem& problem_;
  tectree::Problem bare_;
  std::shared_ptr<tectree::Codes> codes_ = std::make_shared<tectree::Codes>();
  std::vector<std::vector<std::uint8_t>> code_;  // by column and record
};

}  // namespace support
