// Trees from counts of bins, which are looked into until the best split is known
// (grow/counted/open_bins.hpp).
#include <tectree/grow/counted/grow_collected.hpp>

#include <map>

#include "check.h"
#include "grow/ledger_source.h"
#include "grow/seams.h"
#include "grow/table.h"

namespace open_bins_test {

using support::Random;
using OfClasses = support::LedgerTable<tectree::ClassesOfCells>;
using OfNumbers = support::LedgerTable<tectree::NumbersOfCells>;
constexpr int per_bin = 8;

struct Asked {
  int looks = 0, parts = 0, collected = 0;  // bins, parts of bins, nodes
};

// The answers about all open bins; each is divided into at most `most` parts.
template <class Table>
auto looked(const Table& table, const typename Table::Ledger& ledger, int most, Asked& asked) {
  std::map<int, std::vector<tectree::ValueCell<typename Table::Cell>>> out;
  for (const auto& look : ledger.to_look()) {
    ++(look.bin.whole() ? asked.looks : asked.parts);
    const auto parts = table.parts_of(ledger, look.id, look.bin, most);
    auto& of_node = out[look.id];
    of_node.insert(of_node.end(), parts.begin(), parts.end());
  }
  return out;
}

// Grows a node from its rows.
template <class Table>
tectree::Tree collected(const Table& table, const typename Table::Ledger& ledger, int id,
                        const tectree::Problem& whole, const tectree::StopRule& stop,
                        tectree::Team& team) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < whole.sample.size; ++i) {
    if (table.sends(ledger, id, i)) rows.push_back(static_cast<int>(i) + 1);
  }
  tectree::Problem problem = whole;
  problem.sample.rows = rows.data();
  problem.sample.size = rows.size();
  int depth = 0;
  for (int at = id; ledger.entries()[at].parent >= 0; at = ledger.entries()[at].parent) ++depth;
  return tectree::grow_collected(ledger, id, problem, stop, depth,
                                 tectree::missing_policy("majority"), team);
}

template <class Table>
tectree::Tree grow(const Table& table, typename Table::Ledger& ledger,
                   const tectree::Problem& problem, const tectree::StopRule& stop, int most,
                   Asked& asked) {
  tectree::Team team(1);
  for (;;) {
    tectree::Tree tree = ledger.grow(stop, tectree::missing_policy("majority"), team);
    if (!ledger.to_look().empty()) {
      CHECK(ledger.look(looked(table, ledger, most, asked)));
      continue;
    }
    const std::vector<int> asks = ledger.asks();
    const std::vector<int> collects = ledger.to_collect();
    if (asks.empty() && collects.empty()) return tree;
    for (int id : asks) CHECK(ledger.answer(id, table.cells_of(ledger, id)));
    if (!asks.empty()) {
      CHECK(ledger.settle());
      continue;
    }
    for (int id : collects) {
      ++asked.collected;
      ledger.graft(id, collected(table, ledger, id, problem, stop, team));
    }
  }
}

support::Setting setting_of(const char* criterion, Random& random) {
  support::Setting setting;
  setting.criterion = criterion;
  setting.control.min_bucket = random.between(1, 40);
  return setting;
}

}  // namespace open_bins_test

TEST(bins_that_are_looked_into_give_the_tree_of_the_rows) {
  namespace t = open_bins_test;
  support::Random random(31);
  t::Asked asked;
  for (const char* criterion : {"gini", "shannon"}) {
    for (int i = 0; i < 6; ++i) {
      const support::Table records = seams::records(i % 3 == 2 ? 8 : 3, i % 2 == 0, random);
      const support::Setting setting = t::setting_of(criterion, random);
      const tectree::Problem problem = support::problem_of(records, setting);
      t::OfClasses table(problem);
      table.make_bins(t::per_bin);
      const auto ledger = table.ledger(table.all_cells(), true);
      CHECK(ledger->chooser().bounded());
      const tectree::Tree found =
          t::grow(table, *ledger, problem, support::stop_of(setting), 2 + i, asked);
      const tectree::Tree expected = support::grown(seams::rows_of(records), setting);
      CHECK(expected.size() > 5 && seams::same_tree(found, expected));
    }
  }
  CHECK(asked.looks > 100 && asked.parts > 20);
}

TEST(bins_of_sums_that_are_looked_into_give_the_tree_of_the_rows) {
  namespace t = open_bins_test;
  support::Random random(32);
  t::Asked asked;
  for (int i = 0; i < 6; ++i) {
    const support::Table records = seams::number_records(i % 2 == 0, true, 0.0, random);
    const support::Setting setting = t::setting_of("l2", random);
    const tectree::Problem problem = support::problem_of(records, setting);
    t::OfNumbers table(problem);
    table.make_bins(t::per_bin);
    const auto ledger = table.ledger(table.all_cells(), true);
    const tectree::Tree found =
        t::grow(table, *ledger, problem, support::stop_of(setting), 2 + i, asked);
    const tectree::Tree expected = support::grown(seams::rows_of(records), setting);
    CHECK(expected.size() > 5 && seams::near_tree(found, expected));
  }
  CHECK(asked.looks > 50 && asked.parts > 10);
}

TEST(a_tree_of_bins_alone_cuts_at_their_edges) {
  namespace t = open_bins_test;
  support::Random random(33);
  const support::Table records = seams::records(3, true, random);
  const support::Setting setting = t::setting_of("gini", random);
  const tectree::Problem problem = support::problem_of(records, setting);
  t::OfClasses table(problem);
  table.make_bins(t::per_bin);
  t::Asked asked;
  const auto ledger = table.ledger(table.all_cells());
  const tectree::Tree found = t::grow(table, *ledger, problem, support::stop_of(setting), 2, asked);
  int cuts = 0;
  for (std::size_t v = 0; v < found.size(); ++v) {
    if (found.kind[v] == 0 || table.codes()[found.variable[v]].exact) continue;
    ++cuts;
    const std::vector<double>& edges = table.codes()[found.variable[v]].binned.values;
    const double at = found.breaks[found.break_start[v]];
    CHECK(std::find(edges.begin(), edges.end(), at) != edges.end());
  }
  CHECK(cuts > 3 && asked.looks == 0);
}

TEST(parts_that_do_not_add_up_to_their_bin_are_a_conflict) {
  namespace t = open_bins_test;
  support::Random random(34);
  const support::Table records = seams::records(2, false, random);
  const support::Setting setting = t::setting_of("gini", random);
  const tectree::Problem problem = support::problem_of(records, setting);
  t::OfClasses table(problem);
  table.make_bins(t::per_bin);
  const auto ledger = table.ledger(table.all_cells(), true);
  tectree::Team team(1);
  ledger->grow(support::stop_of(setting), tectree::missing_policy("majority"), team);
  t::Asked asked;
  auto found = t::looked(table, *ledger, 3, asked);
  const tectree::OpenBin bin = ledger->to_look().at(0).bin;
  tectree::ClassCell& cell = found[0].at(0).cell;
  CHECK(cell.column == bin.column && cell.code == bin.code);
  double promised = 0.0;
  for (const tectree::ClassCell& c : table.all_cells()) {
    if (c.column == bin.column && c.code == bin.code && c.label == cell.label) promised += c.n;
  }
  cell.n += 1;
  CHECK(!ledger->look(found));
  const auto conflict = ledger->conflict();
  CHECK(conflict && conflict->node == 0 && conflict->column == bin.column &&
        conflict->label == cell.label && conflict->promised == promised &&
        conflict->found == promised + 1);
  cell.n -= 1;
  CHECK(ledger->look(found) && !ledger->conflict());
}

TEST(nodes_with_few_rows_are_grown_from_these) {
  namespace t = open_bins_test;
  support::Random random(35);
  t::Asked asked;
  for (int i = 0; i < 4; ++i) {
    const support::Table records = seams::records(3, i % 2 == 0, random);
    support::Setting setting = t::setting_of("gini", random);
    setting.stop.max_depth = 6;
    tectree::Problem problem = support::problem_of(records, setting);
    if (i >= 2) seams::add_factors_of_three(problem);
    const tectree::StopRule stop = support::stop_of(setting);
    const tectree::Tree expected = seams::grown_from_rows(problem, stop);
    const t::OfClasses table(problem);
    const auto ledger = table.ledger(table.all_cells(), false, 1500.0);
    const tectree::Tree found = t::grow(table, *ledger, problem, stop, 2, asked);
    CHECK(expected.size() > 5 && found.depth == expected.depth &&
          seams::near_tree(found, expected));
  }
  CHECK(asked.collected > 4);
}

TEST(only_criteria_with_a_bound_look_into_bins) {
  namespace t = open_bins_test;
  support::Random random(36);
  const support::Table records = seams::records(2, false, random);
  const auto bounded = [&](const char* criterion, double parameter, auto change) {
    support::Setting setting;
    setting.criterion = criterion;
    setting.parameter = parameter;
    change(setting.control);
    const tectree::Problem problem = support::problem_of(records, setting);
    const t::OfClasses table(problem);
    return table.ledger()->chooser().bounded();
  };
  const auto same = [](tectree::SearchControl&) {};
  CHECK(bounded("gini", 1.0, same) && bounded("shannon", 1.0, same));
  CHECK(bounded("tsallis", 1.5, same));
  CHECK(!bounded("tsallis", -0.5, same));
  CHECK(!bounded("gain_ratio", 1.0, same));
  CHECK(!bounded("gini", 1.0, [](tectree::SearchControl& c) { c.intervals = 3; }));
  CHECK(!bounded("gini", 1.0, [](tectree::SearchControl& c) { c.random_cuts = 1; }));
}
