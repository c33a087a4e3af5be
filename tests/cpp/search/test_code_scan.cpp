// The scan of a column of codes: the cuts that truly tie with the best are never lost among the
// contenders, and nothing of a node is left for the next.
#include "check.h"

#include <tectree/search/code_scan.hpp>

#include "search/scan_data.h"

using namespace tectree;
using support::Random;
using support::Scanned;

namespace {

struct Case {
  std::string criterion;
  double q;
};
const std::vector<Case> cases = {
    {"gini", 2},          {"tsallis", -2},         {"tsallis", 0},         {"tsallis", 0.3},
    {"shannon", 1},       {"tsallis", 3.5},        {"tsallis", 50},        {"tsallis_mutual", -1},
    {"beta", 1.5},        {"tsallis_mutual", 0.5}, {"tsallis_mutual", 20}, {"tsallis_ratio", 0.4},
    {"tsallis_ratio", 1}, {"tsallis_ratio", 2},    {"tsallis_ratio", 9}};

// All of one class but one row; classes at random; the second half of an even number of rows
// mirrors the first, so that cuts tie in pairs.
enum class Labels { one_apart, random, mirrored };

// `codes`: how many there may be; the last one occurs.
Scanned random_codes(std::uint32_t n, int k, int codes, Labels labels, Random& random) {
  std::vector<std::uint32_t> code(n);
  for (auto& x : code) x = static_cast<std::uint32_t>(random.below(codes));
  code.back() = static_cast<std::uint32_t>(codes - 1);
  std::sort(code.begin(), code.end());
  Scanned c;
  c.k = k;
  for (std::uint32_t i = 0; i < n; ++i) {
    const int apart = i == n / 2 ? k - 1 : 0;
    c.entries.push_back({code[i], i});
    c.label.push_back(
        static_cast<std::uint16_t>(labels == Labels::one_apart ? apart : random.below(k)));
    c.weight.push_back(1);
  }
  if (labels != Labels::mirrored) return c;
  for (std::uint32_t i = 0; i < n / 2; ++i) {
    c.entries[i].rank /= 2;
    c.entries[n - 1 - i].rank = static_cast<std::uint32_t>(codes - 1) - c.entries[i].rank;
    c.label[n - 1 - i] = c.label[i];
  }
  return c;
}

// The column as a node of some rows of an arena, in any order.
struct InArena {
  std::vector<std::uint8_t> code, labels;
  std::vector<std::uint16_t> row, label;
  std::uint64_t order = 0;

  // An order that no other had.
  void reorder() {
    static std::uint64_t made = 0;
    order = ++made;
  }

  InArena(const Scanned& c, Random& random) {
    reorder();
    const int n = static_cast<int>(c.size()), spare = random.below(20);
    for (int i = 0; i < n + spare; ++i) {
      row.push_back(static_cast<std::uint16_t>(i));
      code.push_back(static_cast<std::uint8_t>(random.below(255)));
      label.push_back(static_cast<std::uint16_t>(random.below(c.k)));
    }
    random.shuffle(row);
    row.resize(c.size());
    std::vector<std::uint32_t> from;
    for (std::uint32_t i = 0; i < c.size(); ++i) from.push_back(i);
    random.shuffle(from);
    for (std::uint32_t i = 0; i < c.size(); ++i) {
      code[row[i]] = static_cast<std::uint8_t>(c.entries[from[i]].rank);
      label[row[i]] = c.label[from[i]];
    }
  }
  CodedNode<std::uint16_t> node() { return node(0, row.size()); }
  CodedNode<std::uint16_t> node(std::size_t begin, std::size_t end, std::uint32_t column = 0) {
    labels.clear();
    for (std::size_t i = begin; i < end; ++i)
      labels.push_back(static_cast<std::uint8_t>(label[row[i]]));
    return {column, order, code.data(), label.data(), row.data(), begin, end, labels.data()};
  }
};

// One scan for many nodes, as a search has it. `squares`: whether it may make use of phi being the
// square where it is.
class Scanner {
 public:
  Scanner(const Scanned& c, const Criterion& criterion, Random& random)
      : c_(c), criterion_(criterion), in_arena_(c, random) {
    std::vector<double> total(static_cast<std::size_t>(c.k), 0.0);
    for (std::uint16_t label : c.label) ++total[label];
    const double n = c.size();
    value_ = CutValue(criterion, criterion.impurity(total.data(), c.k, n) / criterion.unit(), n,
                      c.size(), true, 0.0);
    Team team(1);
    table_ = KernelTable(criterion.kernel(), c.size() + 1, team);
  }

  bool offer(CodeScan& scan, int codes, bool squares, double least, Contenders& out) {
    squares = squares && criterion_.kernel().q() == 2.0;
    scan.count(in_arena_.node(), static_cast<std::size_t>(codes));
    switch (criterion_.form()) {
      case Form::linear:
        return offer<Form::linear>(scan, squares, least, out);
      case Form::power:
        return offer<Form::power>(scan, squares, least, out);
      default:
        return offer<Form::ratio>(scan, squares, least, out);
    }
  }

 private:
  template <Form form>
  bool offer(CodeScan& scan, bool squares, double least, Contenders& out) const {
    const auto total = c_.total<std::uint32_t>();
    JointSums joint;
    const double q = criterion_.kernel().q();
    const bool joins =
        q > 0.0 && !squares && (form == Form::power || (form == Form::linear && q == 1.0));
    if (joins) joint.make(table_.phi, total);
    return scan.offer_cuts<form>(total, c_.size(), {table_, squares, joins ? &joint : nullptr},
                                 value_, least_count<UnitWeight>(least), out);
  }

  const Scanned& c_;
  const Criterion& criterion_;
  InArena in_arena_;
  CutValue value_;
  KernelTable table_;
};

void check_column(CodeScan& scan, const Scanned& c, const Case& one, int codes, Random& random) {
  const auto criterion = make_criterion(one.criterion, one.q, c.total_weight(), 1);
  Scanner scanner(c, *criterion, random);
  const bool varies = c.entries.front().rank != c.entries.back().rank;
  for (double least : {0.0, 1.0, 3.0, 20.5, c.size() / 2.0, 3e9}) {
    for (bool squares : {false, true}) {
      Contenders contenders;
      CHECK(scanner.offer(scan, codes, squares, least, contenders) == varies);
      const bool right = support::hold_the_best(contenders, c, *criterion, least);
      if (!right)
        std::printf("%s %g, n %u, k %d, codes %d, least %g\n", one.criterion.c_str(), one.q,
                    c.size(), c.k, codes, least);
      CHECK(right);
    }
  }
}

}  // namespace

TEST(the_best_cuts_of_a_column_are_among_the_contenders) {
  Random random(1);
  CodeScan scan;
  for (const Case& one : cases) {
    for (int k = 2; k <= CodeScan::most_classes; ++k) {
      for (int codes : {1, 2, 7, 64, 65, 128, 129, 255}) {
        const auto labels = random.chance(0.8) ? Labels::random : Labels::one_apart;
        const auto n = static_cast<std::uint32_t>(random.between(2, 160));
        check_column(scan, random_codes(n, k, codes, labels, random), one, codes, random);
      }
    }
  }
}

TEST(cuts_that_tie_are_all_there) {
  Random random(2);
  CodeScan scan;
  for (const Case& one : cases) {
    for (int k = 2; k <= CodeScan::most_classes; ++k) {
      const int codes = random.between(20, 255);
      const auto n = static_cast<std::uint32_t>(2 * random.between(2, 60));
      const Scanned c = random_codes(n, k, codes, Labels::mirrored, random);
      check_column(scan, c, one, codes, random);
      const auto criterion = make_criterion(one.criterion, one.q, n, 1);
      Contenders contenders;
      Scanner(c, *criterion, random).offer(scan, codes, true, 1, contenders);
      std::vector<std::uint32_t> at, mirrored;
      for (const Contenders::Cut& cut : contenders.settle()) {
        at.push_back(cut.at);
        mirrored.insert(mirrored.begin(), n - cut.at);
      }
      CHECK(at == mirrored);
    }
  }
}

// Every code, one row each.
TEST(as_many_codes_as_there_can_be) {
  Random random(3);
  CodeScan scan;
  for (int k : {2, 5, 8}) {
    Scanned c;
    c.k = k;
    for (std::uint32_t i = 0; i < Binned::most; ++i) {
      c.entries.push_back({i, i});
      c.label.push_back(static_cast<std::uint16_t>(i < 100 ? 0 : random.below(k)));
      c.weight.push_back(1);
    }
    for (const Case& one : cases) check_column(scan, c, one, Binned::most, random);
  }
}

TEST(as_many_rows_as_the_counts_can_hold) {
  Random random(4);
  CodeScan scan;
  for (int k : {2, 8}) {
    for (auto labels : {Labels::random, Labels::one_apart}) {
      const auto n = static_cast<std::uint32_t>(CodeCounts::most_rows);
      const Scanned c = random_codes(n, k, 4, labels, random);
      check_column(scan, c, {"gini", 2}, 4, random);
      check_column(scan, c, {"tsallis_ratio", 2}, 4, random);
      check_column(scan, c, {"shannon", 1}, 4, random);
    }
  }
}

namespace {

using Table = std::vector<std::uint32_t>;

// The counts of a node by code and class; whether codes come in order, each with a row.
Table counted(CodeCounts& counts, bool& in_order) {
  Table out(256 * CodeCounts::most_classes, 0);
  std::size_t next = 0;
  in_order = true;
  counts.each([&](std::size_t code, const std::uint16_t* of_code) {
    in_order = in_order && code >= next;
    next = code + 1;
    std::copy_n(of_code, CodeCounts::most_classes, &out[code * CodeCounts::most_classes]);
    in_order = in_order && std::any_of(of_code, of_code + CodeCounts::most_classes,
                                       [](std::uint16_t n) { return n > 0; });
  });
  return out;
}

void check_counts(CodeCounts& counts, const CodedNode<std::uint16_t>& node, int codes) {
  Table expected(256 * CodeCounts::most_classes, 0);
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const std::uint16_t row = node.rows[i];
    ++expected[std::size_t{node.code[row]} * CodeCounts::most_classes + node.label[row]];
  }
  counts.count(node, static_cast<std::size_t>(codes));
  bool in_order = false;
  CHECK(counted(counts, in_order) == expected);
  CHECK(in_order);
}

}  // namespace

TEST(codes_are_visited_in_order_with_their_counts) {
  Random random(5);
  CodeCounts counts;
  for (int codes : {1, 63, 64, 65, 128, 200, 255}) {
    const int k = random.between(2, CodeCounts::most_classes);
    InArena in_arena(random_codes(300, k, codes, Labels::random, random), random);
    for (int again : {0, 1}) {
      (void)again;
      check_counts(counts, in_arena.node(), codes);
    }
  }
}

// From a node to one within it, as often as there are rows; with other columns in between, some of
// which take its place, and with rows that come to stand elsewhere.
TEST(counts_of_a_node_serve_those_within_it) {
  Random random(6);
  CodeCounts counts;
  for (int codes : {3, 40, 90, 255}) {
    InArena in_arena(random_codes(400, 3, codes, Labels::random, random), random);
    for (int path = 0; path < 40; ++path) {
      std::size_t begin = 0, end = in_arena.row.size();
      if (random.chance(0.3)) {
        random.shuffle(in_arena.row);
        in_arena.reorder();
      }
      while (end - begin > 1) {
        const auto column = static_cast<std::uint32_t>(256 * random.below(2) + random.below(2));
        check_counts(counts, in_arena.node(begin, end, column), codes);
        const auto size = static_cast<int>(end - begin);
        const auto off = static_cast<std::size_t>(random.below(random.chance(0.5) ? 3 : size));
        (random.chance(0.5) ? begin += off : end -= off);
      }
    }
  }
}
