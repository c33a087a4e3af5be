// Trees of rows that are elsewhere, grown level by level from answers (grow/counted/).
#include <algorithm>
#include <set>

#include "check.h"
#include "grow/ledger_source.h"
#include "grow/seams.h"
#include "grow/table.h"

namespace counted {

using support::Random;
using OfClasses = support::LedgerTable<tectree::ClassesOfCells>;
using OfNumbers = support::LedgerTable<tectree::NumbersOfCells>;

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (int i = static_cast<int>(items.size()) - 1; i > 0; --i)
    std::swap(items[i], items[random.below(i + 1)]);
}

// Asks the table until the tree is complete. With `random`, questions and cells come in any order.
template <class Table>
tectree::Tree grow(const Table& table, typename Table::Ledger& ledger,
                   const tectree::StopRule& stop, std::vector<int>& asked,
                   Random* random = nullptr) {
  tectree::Team team(1);
  for (;;) {
    tectree::Tree tree = ledger.grow(stop, tectree::missing_policy("majority"), team);
    std::vector<int> asks = ledger.asks();
    if (asks.empty()) return tree;
    if (random) shuffle(asks, *random);
    for (int id : asks) {
      asked.push_back(id);
      auto cells = table.cells_of(ledger, id);
      if (random) shuffle(cells, *random);
      CHECK(ledger.answer(id, std::move(cells)));
    }
    CHECK(ledger.settle() && !ledger.conflict());
  }
}

// The first of the children with the most rows.
template <class Ledger>
int largest_child(const Ledger& ledger, int parent) {
  int largest = -1;
  for (int id : ledger.entries()[parent].children) {
    if (largest < 0 || ledger.entries()[id].rows > ledger.entries()[largest].rows) largest = id;
  }
  return largest;
}

support::Setting random_setting(const char* criterion, Random& random) {
  support::Setting setting;
  setting.criterion = criterion;
  setting.parameter = setting.criterion == "tsallis" ? 1.5 : 1.0;
  setting.control.min_bucket = random.between(1, 40);
  setting.stop.max_leaves = random.chance(0.3) ? 9 : HUGE_VAL;
  return setting;
}

// A table of records whose root was searched, and the nodes that wait.
template <class Table>
struct Waiting {
  support::Table records;
  support::Setting setting;
  tectree::Problem problem;
  Table table;
  std::unique_ptr<typename Table::Ledger> ledger;
  std::vector<int> asks;

  Waiting(support::Table of, const char* criterion)
      : records(std::move(of)), problem(made(criterion)), table(problem), ledger(table.ledger()) {
    tectree::Team team(1);
    ledger->grow(support::stop_of(setting), tectree::missing_policy("majority"), team);
    asks = ledger->asks();
  }

 private:
  tectree::Problem made(const char* criterion) {
    setting.criterion = criterion;
    return support::problem_of(records, setting);
  }
};

bool is(const std::optional<tectree::Conflict>& found, const tectree::Conflict& expected) {
  return found && found->node == expected.node && found->column == expected.column &&
         found->label == expected.label && found->promised == expected.promised &&
         found->found == expected.found;
}

}  // namespace counted

TEST(a_ledger_grows_the_tree_of_the_rows_of_its_table) {
  support::Random random(21);
  std::size_t nodes = 0;
  for (const char* criterion : {"tsallis", "gini", "gain_ratio", "shannon"}) {
    for (int i = 0; i < 6; ++i) {
      const support::Table records = seams::records(i < 3 ? 2 : 5, i % 2 == 0, random),
                           rows = seams::rows_of(records);
      support::Setting setting = counted::random_setting(criterion, random);
      if (i % 3 == 2) setting.control.nominal = tectree::SearchControl::Nominal::multiway;
      const tectree::Tree expected = support::grown(rows, setting);
      const tectree::Problem problem = support::problem_of(records, setting);
      const counted::OfClasses table(problem);
      const auto ledger = table.ledger();
      std::vector<int> asked;
      const tectree::Tree found = counted::grow(table, *ledger, support::stop_of(setting), asked);
      CHECK(seams::same_tree(found, expected));
      nodes += expected.size();
    }
  }
  CHECK(nodes > 240);
}

TEST(a_ledger_of_sums_grows_the_tree_of_the_rows_of_its_table) {
  support::Random random(22);
  for (int i = 0; i < 12; ++i) {
    const support::Table records = seams::number_records(i % 2 == 0, i % 4 < 2, 0.0, random),
                         rows = seams::rows_of(records);
    support::Setting setting = counted::random_setting("l2", random);
    setting.control.min_gain = random.chance(0.3) ? 0.05 : 0.0;
    if (i % 3 == 2) setting.control.nominal = tectree::SearchControl::Nominal::multiway;
    const tectree::Tree expected = support::grown(rows, setting);
    const tectree::Problem problem = support::problem_of(records, setting);
    const counted::OfNumbers table(problem);
    const auto ledger = table.ledger();
    std::vector<int> asked;
    const tectree::Tree found = counted::grow(table, *ledger, support::stop_of(setting), asked);
    CHECK(expected.size() > 2 && seams::near_tree(found, expected));
    CHECK(found.n == expected.n);
  }
}

// Counts too large for a table of phi, and class factors, against weighted rows.
TEST(large_counts_and_factors_grow_the_tree_of_weighted_rows) {
  support::Random random(14);
  for (int i = 0; i < 12; ++i) {
    support::Table records = seams::records(3, i % 2 == 0, random);
    const double times = i % 3 == 0 ? 1e5 : 1.0;
    for (double& weight : records.weight) weight *= times;
    support::Setting setting;
    setting.criterion = i % 4 < 2 ? "gini" : "shannon";
    setting.control.min_bucket = times * random.between(1, 40);
    tectree::Problem problem = support::problem_of(records, setting);
    if (times == 1.0) seams::add_factors_of_three(problem);
    const tectree::StopRule stop = support::stop_of(setting);
    const tectree::Tree expected = seams::grown_from_rows(problem, stop);
    const counted::OfClasses table(problem);
    const auto ledger = table.ledger();
    std::vector<int> asked;
    const tectree::Tree found = counted::grow(table, *ledger, stop, asked);
    CHECK(expected.size() > 10 && seams::near_tree(found, expected));
  }
}

TEST(the_order_of_answers_does_not_change_a_ledgers_tree) {
  support::Random random(23);
  for (int i = 0; i < 6; ++i) {
    const support::Table records = seams::records(3, i % 2 == 0, random);
    support::Setting setting = counted::random_setting("gini", random);
    // Also with columns drawn at random: a node's draw depends on the node.
    if (i % 3 == 0) setting.control.max_columns = 2;
    const tectree::Problem problem = support::problem_of(records, setting);
    const counted::OfClasses table(problem);
    const tectree::StopRule stop = support::stop_of(setting);
    std::vector<int> asked;
    const auto first = table.ledger();
    const tectree::Tree expected = counted::grow(table, *first, stop, asked);
    CHECK(expected.size() > 5);
    for (int again = 0; again < 3; ++again) {
      auto root = table.all_cells();
      counted::shuffle(root, random);
      const auto ledger = table.ledger(std::move(root));
      CHECK(seams::same_tree(counted::grow(table, *ledger, stop, asked, &random), expected));
    }
  }
}

TEST(a_waiting_node_is_asked_for_once_and_the_largest_child_never) {
  support::Random random(24);
  for (int i = 0; i < 6; ++i) {
    const support::Table records = seams::records(3, i % 2 == 0, random);
    const support::Setting setting = counted::random_setting("gini", random);
    const tectree::Problem problem = support::problem_of(records, setting);
    const counted::OfClasses table(problem);
    const auto ledger = table.ledger();
    std::vector<int> asked;
    counted::grow(table, *ledger, support::stop_of(setting), asked);
    const std::set<int> once(asked.begin(), asked.end());
    CHECK(!asked.empty() && once.size() == asked.size() && once.count(0) == 0);
    const auto& entries = ledger->entries();
    for (int id = 1; id < static_cast<int>(entries.size()); ++id) {
      const bool largest = counted::largest_child(*ledger, entries[id].parent) == id;
      CHECK(!largest || once.count(id) == 0);
      CHECK(!entries[id].searched || largest || once.count(id) == 1);
    }
  }
}

TEST(counts_that_do_not_add_up_are_reported_with_node_column_and_both_numbers) {
  support::Random random(25);
  counted::Waiting<counted::OfClasses> w(seams::records(3, false, random), "gini");
  CHECK(w.asks.size() == 1);
  const int id = w.asks[0];
  const auto good = w.table.cells_of(*w.ledger, id);
  for (std::uint32_t column : {0u, 2u, 4u}) {
    auto cells = good;
    const auto at = std::find_if(cells.begin(), cells.end(),
                                 [&](const tectree::ClassCell& c) { return c.column == column; });
    double promised = 0.0, rows = 0.0;
    for (const tectree::ClassCell& cell : good) {
      if (cell.column != column) continue;
      promised += cell.label == at->label ? cell.n : 0.0;
      rows += cell.rows;
    }
    at->n += 1;
    CHECK(!w.ledger->answer(id, cells));
    CHECK(counted::is(w.ledger->conflict(), {id, column, at->label, promised, promised + 1}));
    at->n -= 1;
    at->rows += 2;
    CHECK(!w.ledger->answer(id, cells));
    CHECK(counted::is(w.ledger->conflict(), {id, column, -1, rows, rows + 2}));
  }
  // Refused answers leave no trace.
  CHECK(w.ledger->answer(id, good) && w.ledger->settle() && !w.ledger->conflict());
  std::vector<int> asked;
  const tectree::Tree found = counted::grow(w.table, *w.ledger, support::stop_of(w.setting), asked);
  CHECK(seams::same_tree(found, support::grown(seams::rows_of(w.records), w.setting)));
}

TEST(a_child_with_more_than_its_parent_is_a_conflict) {
  support::Random random(26);
  counted::Waiting<counted::OfClasses> w(seams::records(2, false, random), "gini");
  const int id = w.asks.at(0);
  // All rows of a class have one code of column 1: the class adds up, but not with its sibling.
  std::vector<tectree::ClassCell> cells;
  tectree::ClassCell* all = nullptr;
  auto good = w.table.cells_of(*w.ledger, id);
  cells.reserve(good.size());
  for (const tectree::ClassCell& cell : good) {
    if (all && cell.column == 1 && cell.label == 0) {
      all->n += cell.n;
      all->rows += cell.rows;
      continue;
    }
    cells.push_back(cell);
    if (cell.column == 1 && cell.label == 0) all = &cells.back();
  }
  double promised = 0.0;
  for (const tectree::ClassCell& cell : w.table.all_cells()) {
    if (cell.column == 1 && cell.label == 0 && cell.code == all->code) promised = cell.n;
  }
  CHECK(all->n > promised);
  CHECK(w.ledger->answer(id, cells) && !w.ledger->settle());
  CHECK(counted::is(w.ledger->conflict(), {id, 1, -1, promised, all->n}));
}

TEST(sums_that_do_not_add_up_are_reported) {
  support::Random random(27);
  counted::Waiting<counted::OfNumbers> w(seams::number_records(false, true, 0.0, random), "l2");
  const int id = w.asks.at(0);
  auto cells = w.table.cells_of(*w.ledger, id);
  double n = 0.0;
  tectree::WideInt sum;
  const tectree::WideInt more(3);
  for (const tectree::SumCell& cell : cells) {
    if (cell.column != 0) continue;
    n += cell.n;
    sum += cell.sum;
  }
  tectree::WideInt other = sum;
  other += more;
  cells[0].n += 1;
  CHECK(!w.ledger->answer(id, cells));
  CHECK(counted::is(w.ledger->conflict(), {id, 0, -1, n, n + 1}));
  cells[0].n -= 1;
  cells[0].sum += more;
  CHECK(!w.ledger->answer(id, cells));
  CHECK(counted::is(w.ledger->conflict(), {id, 0, -2, sum.value(), other.value()}));
  cells[0].sum -= more;
  cells[0].squares += more;
  CHECK(!w.ledger->answer(id, cells));
  cells[0].squares -= more;
  CHECK(w.ledger->answer(id, cells) && w.ledger->settle());
}

TEST(a_root_whose_columns_disagree_is_a_conflict) {
  support::Random random(28);
  const support::Table records = seams::records(2, false, random);
  const tectree::Problem problem = support::problem_of(records, {});
  const counted::OfClasses table(problem);
  auto cells = table.all_cells();
  CHECK(!table.ledger(cells)->conflict());
  double promised = 0.0;
  for (const tectree::ClassCell& cell : cells)
    promised += cell.column == 0 && cell.label == cells.back().label ? cell.n : 0.0;
  cells.back().n -= 1;
  CHECK(counted::is(table.ledger(cells)->conflict(),
                    {0, 4, cells.back().label, promised, promised - 1}));
}
