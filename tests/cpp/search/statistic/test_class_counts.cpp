// The rows of a histogram search for classes: the counts of a node, with any weights, and nodes
// copied from others.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/statistic/class_histogram.hpp>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

// A third of the frame's rows do not take part.
struct Data {
  static constexpr std::size_t n = 40000;
  static constexpr int classes = 3;
  std::vector<double> many, few;
  std::vector<int> rows;
  Frame frame;
  Sample sample;
  std::vector<std::uint16_t> label;
  std::vector<double> weight;
  Team team{1};
  std::shared_ptr<const Codes> codes;
  std::shared_ptr<ClassProblem> problem = std::make_shared<ClassProblem>();

  explicit Data(Random& random) {
    while (rows.size() < n) {
      many.push_back(random.chance(0.1) ? std::nan("") : random.uniform());
      few.push_back(random.below(40));
      if (random.chance(0.33)) continue;
      rows.push_back(static_cast<int>(many.size()));
      label.push_back(static_cast<std::uint16_t>(random.below(classes)));
      weight.push_back(1 + random.below(9));
    }
    frame.columns.resize(2);
    frame.columns[0].real = many.data();
    frame.columns[1].real = few.data();
    frame.n_rows = many.size();
    sample.size = n;
    sample.rows = rows.data();
    problem->frame = &frame;
    problem->sample = &sample;
    problem->n_classes = classes;
    problem->criterion = make_criterion("gini", 0.0, n, 1.0);
    codes = std::make_shared<const Codes>(make_codes(frame, sample, team));
  }

  CodedRows all() const {
    std::vector<std::uint32_t> positions(n);
    std::iota(positions.begin(), positions.end(), 0u);
    return CodedRows(codes, positions, n, sample, [](std::uint32_t) { return true; });
  }
  template <class W>
  SortedTask<ClassStat<std::uint32_t, W>> task(double times) const {
    std::vector<double> w;
    for (double x : weight) w.push_back(x * times);
    return SortedTask(
        ClassStat<std::uint32_t, W>(problem, label, {times > 0 ? w : std::vector<double>()}));
  }
};

const std::vector<std::uint32_t> both_columns{0, 1};

Range range(std::size_t begin, std::size_t end) {
  return {begin, end, &both_columns, 0};
}

// Every third row of those of a search comes first, in its node.
Range third(CodedRows& rows) {
  std::vector<std::uint32_t> first, last, &all = rows.arena.rows;
  for (std::uint32_t row : all) (row % 3 == 0 ? first : last).push_back(row);
  std::copy(last.begin(), last.end(), std::copy(first.begin(), first.end(), all.begin()));
  return range(0, first.size());
}

// The rows of a node where they came from.
std::vector<std::uint32_t> traced(const CodedRows& rows, const Range& node) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < node.size(); ++i)
    out.push_back(static_cast<std::uint32_t>(rows.arena.position(rows.of(node)[i])));
  return out;
}

// `times`: multiplies the weights; 0: every row counts 1.
template <class W>
void check_counts(const Data& data, double times) {
  const CodedRows rows = data.all();
  CHECK(rows.cells.counts(0) && rows.cells.counts(1));
  const auto task = data.task<W>(times);
  const ClassBins<W> bins(task.stat(), Data::n);
  const Range node = range(1000, 30000);
  Team team(2);
  const auto counted = bins.count(rows, task.stat().labels(), node, team);
  std::vector<double> cells(rows.cells.size() * Data::classes, 0.0);
  std::vector<double> total(Data::classes, 0.0);
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const double w = times > 0 ? data.weight[i] * times : 1.0;
    for (std::size_t c = 0; c < 2; ++c) {
      const std::uint8_t code = (*data.codes)[c].binned.code[i];
      cells[(rows.cells.first(static_cast<std::uint32_t>(c)) + code) * Data::classes +
            data.label[i]] += w;
    }
    total[data.label[i]] += w;
  }
  const auto close = [&](const auto& counts, const std::vector<double>& expected) {
    bool right = counts.size() == expected.size();
    for (std::size_t i = 0; i < expected.size() && right; ++i)
      right = std::fabs(static_cast<double>(counts[i]) * bins.unit - expected[i]) <=
              1e-12 * expected[i];
    return right;
  };
  CHECK(close(counted->cells, cells));
  CHECK(close(counted->total, total));
  // The difference from a part is the total of the other rows, to the last digit.
  const Range part = range(1000, 9000), other = range(9000, 30000);
  const auto of_part = bins.count(rows, task.stat().labels(), part, team);
  const auto rest = bins.rest(rows.cells, both_columns, *counted, *of_part);
  const auto of_other = bins.count(rows, task.stat().labels(), other, team);
  CHECK(rest->cells == of_other->cells && rest->total == of_other->total);
}

}  // namespace

TEST(a_node_is_counted_by_bin_and_class) {
  Random random(1);
  const Data data(random);
  check_counts<WholeWeight>(data, 0.0);
  check_counts<WholeWeight>(data, 1.0);
  check_counts<RealWeight>(data, 0.1);
  check_counts<RealWeight>(data, 1e200);
  check_counts<RealWeight>(data, 1e-200);
}

TEST(weights_of_too_many_sizes_have_no_unit) {
  CHECK(ClassScale<WholeWeight>::has_unit(1.0, 1e9));
  CHECK(ClassScale<RealWeight>::has_unit(1.0, 1e8));
  CHECK(!ClassScale<RealWeight>::has_unit(1.0, 1e9));
  // The error of the lightest row is within the limit.
  const double unit = fine_unit(1e8);
  CHECK(unit / 2 <= ClassScale<RealWeight>::off);
}

TEST(a_copied_node_is_the_same_node) {
  Random random(3);
  const Data data(random);
  CodedRows rows = data.all();
  const auto task = data.task<WholeWeight>(1.0);
  const ClassBins<WholeWeight> bins(task.stat(), Data::n);
  Team team(1);
  const Range node = third(rows);
  CodedRows copy(rows, node, rows.list(node), team);
  const ClassBins<WholeWeight> of_copy(bins, node, rows);
  const auto its_task = task.shrink(rows.arena, copy.arena, node, {});
  const Range whole = range(0, node.size());
  CHECK(traced(copy, whole) == traced(rows, node));
  const auto same = [](const auto& a, const auto& b) {
    return a->cells == b->cells && a->total == b->total;
  };
  CHECK(same(of_copy.count(copy, its_task.stat().labels(), whole, team),
             bins.count(rows, task.stat().labels(), node, team)));
  // And one of its nodes, copied again.
  const Range within = third(copy);
  const CodedRows again(copy, within, copy.list(within), team);
  const ClassBins<WholeWeight> of_again(of_copy, within, copy);
  const auto last_task = its_task.shrink(copy.arena, again.arena, within, {});
  const Range all_of_it = range(0, within.size());
  const std::vector<std::uint32_t> origin = traced(again, all_of_it);
  CHECK(origin == traced(copy, within));
  CHECK(same(of_again.count(again, last_task.stat().labels(), all_of_it, team),
             of_copy.count(copy, its_task.stat().labels(), within, team)));
  bool right = again.sample.size == within.size();
  for (std::size_t i = 0; i < origin.size(); ++i) {
    right = right && again.sample.row(i) == data.sample.row(origin[i]) &&
            last_task.stat().labels()[i] == data.label[origin[i]] &&
            (*again.codes)[0].within[i] == (*data.codes)[0].within[origin[i]];
  }
  CHECK(right);
}
