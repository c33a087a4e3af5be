// The rows of a histogram search: what is counted of a node, and nodes copied out of others.
#include "check.h"

#include <tectree/search/histogram/class_cells.hpp>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

// A third of the frame's rows take no part.
struct Data {
  static constexpr std::size_t n = 40000;
  static constexpr int classes = 3;
  std::vector<double> many, few;
  std::vector<int> rows;
  Frame frame;
  Sample sample;
  std::vector<std::uint16_t> label;
  Team team{1};
  std::shared_ptr<const CodedClasses> coded;

  explicit Data(Random& random) {
    while (rows.size() < n) {
      many.push_back(random.chance(0.1) ? std::nan("") : random.uniform());
      few.push_back(random.below(40));
      if (random.chance(0.33)) continue;
      rows.push_back(static_cast<int>(many.size()));
      label.push_back(static_cast<std::uint16_t>(random.below(classes)));
    }
    frame.columns.resize(2);
    frame.columns[0].real = many.data();
    frame.columns[1].real = few.data();
    frame.n_rows = many.size();
    sample.size = n;
    sample.rows = rows.data();
    ClassProblem problem;
    problem.frame = &frame;
    problem.sample = &sample;
    coded = std::make_shared<CodedClasses>(problem, label, team);
  }

  CodedRows all() const {
    std::vector<std::uint32_t> positions(n);
    std::iota(positions.begin(), positions.end(), 0u);
    return CodedRows(coded, positions, sample, classes);
  }
};

Range range(std::size_t begin, std::size_t end) {
  return {begin, end,
          std::make_shared<std::vector<std::uint32_t>>(std::vector<std::uint32_t>{0, 1}), nullptr};
}

// Every third row of those of a search comes first, in its node.
Range third(CodedRows& rows) {
  std::vector<std::uint32_t> first, last;
  for (std::uint32_t row : rows.rows) (row % 3 == 0 ? first : last).push_back(row);
  std::copy(last.begin(), last.end(), std::copy(first.begin(), first.end(), rows.rows.begin()));
  return range(0, first.size());
}

// The rows of a node where they came from.
std::vector<std::uint32_t> traced(const CodedRows& rows, const Range& node) {
  std::vector<std::uint32_t> positions(rows.of(node), rows.of(node) + node.size());
  rows.trace(positions);
  return positions;
}

}  // namespace

TEST(a_node_is_counted_by_code_and_class) {
  Random random(1);
  const Data data(random);
  const CodedRows rows = data.all();
  CHECK(data.coded->columns[1].codes == 40);
  Range node = range(1000, 30000);
  std::vector<std::uint16_t> labels;
  Team team(2);
  node.counts = rows.count(node, labels, team);
  for (std::uint32_t c : {0, 1}) {
    const CodedColumn& column = data.coded->columns[c];
    std::vector<std::uint32_t> counts((column.codes + 1) * Data::classes, 0);
    for (std::size_t i = node.begin; i < node.end; ++i)
      ++counts[column.binned.code[i] * Data::classes + data.label[i]];
    CHECK(std::equal(counts.begin(), counts.end(), rows.counts(node, c)));
    CHECK(rows.missing(node, c) == rows.counts(node, c) + column.codes * Data::classes);
  }
}

TEST(a_copied_node_is_the_same_node) {
  Random random(3);
  const Data data(random);
  CodedRows rows = data.all();
  std::vector<std::uint16_t> labels;
  Team team(1);
  const Range node = third(rows);
  CodedRows copy(rows, node, team);
  const Range whole = range(0, node.size());
  CHECK(traced(copy, whole) == traced(rows, node));
  CHECK(*copy.count(whole, labels, team) == *rows.count(node, labels, team));
  // And one of its nodes, copied in its turn.
  const Range within = third(copy);
  const CodedRows again(copy, within, team);
  const Range all_of_it = range(0, within.size());
  const std::vector<std::uint32_t> origin = traced(again, all_of_it);
  CHECK(origin == traced(copy, within));
  CHECK(*again.count(all_of_it, labels, team) == *copy.count(within, labels, team));
  bool right = again.sample.size == within.size();
  for (std::size_t i = 0; i < origin.size(); ++i) {
    right = right && again.sample.row(i) == data.sample.row(origin[i]) &&
            again.coded->label[i] == data.label[origin[i]] &&
            again.coded->columns[0].within[i] == data.coded->columns[0].within[origin[i]];
  }
  CHECK(right);
}
