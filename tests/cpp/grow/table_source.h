// A table of records with their frequencies, asked for counts like a database.
#pragma once

#include <tectree/grow/grow_from_counts.hpp>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace support {

class CountTable {
 public:
  // The records are the problem's sample; their weights are their frequencies.
  explicit CountTable(const tectree::Problem& problem) : problem_(problem) {
    tectree::Team team(1);
    auto codes = tectree::make_codes(problem.frame, problem.sample, team);
    for (const tectree::CodedColumn& made : codes) {
      code_.push_back(made.binned.code);
      codes_->push_back(tectree::exact_codes(made.binned.values));
    }
  }

  // The tree of these counts: the core gets no value of a row.
  tectree::Tree grow(const tectree::StopRule& stop, const char* missing,
                     double centre = 0.0) const {
    tectree::Problem problem = problem_;
    for (tectree::Column& column : problem.frame.columns)
      column.real = nullptr, column.whole = nullptr;
    problem.frame.n_rows = 0;
    problem.sample = tectree::Sample();
    problem.response.code = nullptr;
    problem.response.number = nullptr;
    tectree::Team team(1);
    const tectree::MissingPolicy policy = tectree::missing_policy(missing);
    if (problem.response.is_class()) {
      return tectree::grow_from_counts(
          problem, codes_, [&](const tectree::Path& path) { return classes(path); }, stop, policy,
          team);
    }
    return tectree::grow_from_counts(
        problem, codes_, [&](const tectree::Path& path) { return numbers(path, centre); }, centre,
        stop, policy, team);
  }

  int asked() const { return asked_; }

 private:
  using Key = std::pair<std::pair<std::size_t, int>, int>;  // column, code, class

  std::vector<tectree::ClassCell> classes(const tectree::Path& path) const {
    std::map<Key, double> counts;
    each_cell(path, [&](std::size_t c, int code, std::size_t i) {
      counts[{{c, code}, problem_.response.code[i] - 1}] += problem_.sample.weight(i);
    });
    std::vector<tectree::ClassCell> out;
    for (const auto& [key, n] : counts)
      out.push_back({static_cast<std::uint32_t>(key.first.first), key.first.second, key.second, n});
    return out;
  }
  std::vector<tectree::NumberCell> numbers(const tectree::Path& path, double centre) const {
    std::map<std::pair<std::size_t, int>, tectree::NumberCell> cells;
    each_cell(path, [&](std::size_t c, int code, std::size_t i) {
      tectree::NumberCell& cell = cells[{c, code}];
      const double n = problem_.sample.weight(i), y = problem_.response.number[i] - centre;
      cell.column = static_cast<std::uint32_t>(c);
      cell.code = code;
      cell.n += n;
      cell.sum += n * y;
      cell.squares += n * y * y;
    });
    std::vector<tectree::NumberCell> out;
    for (const auto& cell : cells) out.push_back(cell.second);
    return out;
  }

  // use(column, code, record) for the records that meet all conditions.
  template <class Use>
  void each_cell(const tectree::Path& path, Use use) const {
    ++asked_;
    for (std::size_t i = 0; i < problem_.sample.size; ++i) {
      bool here = true;
      for (const tectree::Condition& condition : path) {
        const tectree::Split& split = condition.split;
        int branch = route(split.view(), problem_.frame.columns[split.column], i);
        if (branch == tectree::no_branch) branch = condition.missing;
        here = here && branch == condition.branch;
      }
      for (std::size_t c = 0; here && c < codes_->size(); ++c) use(c, code_[c][i], i);
    }
  }

  const tectree::Problem& problem_;
  std::shared_ptr<tectree::Codes> codes_ = std::make_shared<tectree::Codes>();
  std::vector<std::vector<std::uint8_t>> code_;  // by column and record
  mutable int asked_ = 0;
};

}  // namespace support
