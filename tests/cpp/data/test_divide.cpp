// Dividing a node's items by branch: stable and complete, for two, three and hundreds of branches;
// for items of four bytes, which may go eight at a time, and of eight.

#include "check.h"

#include <tectree/data/divide.hpp>

#include "support/random.h"

#include <algorithm>

using namespace tectree;
using support::Random;

namespace {

template <class Number>
struct ItemOf {
  Number place, row;
};
using Item = ItemOf<std::uint32_t>;

// A node of n of the `arena` rows, each with its branch, and its items in some order.
template <class Item>
struct NodeOf {
  std::vector<int> branch_of;  // by row, -1 outside the node
  std::vector<Item> items;
};
using Node = NodeOf<Item>;

template <class Number = std::uint32_t>
NodeOf<ItemOf<Number>> random_node(std::size_t arena, std::size_t n, int branches, Random& random) {
  NodeOf<ItemOf<Number>> node;
  std::vector<std::uint32_t> rows(arena);
  for (std::size_t r = 0; r < arena; ++r) rows[r] = static_cast<std::uint32_t>(r);
  random.shuffle(rows);
  node.branch_of.assign(arena, -1);
  for (std::size_t i = 0; i < n; ++i) {
    node.branch_of[rows[i]] = random.below(branches);
    node.items.push_back({static_cast<Number>(i), static_cast<Number>(rows[i])});
  }
  return node;
}

// Divides and compares with a stable sort by branch.
template <class Item>
bool divides(RowBranches& branches_of, const NodeOf<Item>& node, int branches,
             std::vector<Item>& spare) {
  branches_of.prepare(branches);
  for (std::size_t r = 0; r < node.branch_of.size(); ++r) {
    if (node.branch_of[r] >= 0) branches_of.set(r, node.branch_of[r]);
  }
  branches_of.finish();
  std::vector<Item> expected = node.items, items = node.items;
  std::stable_sort(expected.begin(), expected.end(), [&](const Item& a, const Item& b) {
    return node.branch_of[a.row] < node.branch_of[b.row];
  });
  branches_of.divide(items.data(), items.size(), spare, [](const Item& item) { return item.row; });
  const auto& starts = branches_of.starts();
  bool right = starts.size() == static_cast<std::size_t>(branches) + 1 && starts.front() == 0 &&
               starts.back() == items.size();
  for (std::size_t i = 0; i < items.size() && right; ++i) {
    const auto branch = static_cast<std::size_t>(node.branch_of[items[i].row]);
    right = items[i].place == expected[i].place && items[i].row == expected[i].row &&
            starts[branch] <= i && i < starts[branch + 1];
  }
  return right;
}

}  // namespace

TEST(a_division_is_stable_and_complete) {
  Random random(1);
  for (int branches : {2, 3, 7, 255, 256, 257, 300, 5000}) {
    for (std::size_t n : {1, 2, 3, 64, 1000}) {
      RowBranches fresh(n + 50);
      std::vector<Item> spare;
      CHECK(divides(fresh, random_node(n + 50, n, branches, random), branches, spare));
    }
  }
}

TEST(one_divider_serves_nodes_of_any_width_in_turn) {
  Random random(2);
  RowBranches again(210);
  std::vector<Item> spare;
  for (int round = 0; round < 60; ++round) {
    const int branches = random.one_of(std::vector<int>{2, 3, 256, 257, 300});
    const std::size_t n = 1 + static_cast<std::size_t>(random.below(200));
    CHECK(divides(again, random_node(210, n, branches, random), branches, spare));
  }
}

TEST(rows_set_together_go_where_they_go_one_by_one) {
  Random random(8);
  for (int branches : {2, 3, 300}) {
    const Node node = random_node(90, 70, branches, random);
    std::vector<std::uint32_t> rows;  // those of branch 0 or 1 by part(), some of them as unknown
    RowBranches one_by_one(90), together(90);
    one_by_one.prepare(branches);
    together.prepare(branches);
    const auto row_of = [](const Item& item) { return item.row; };
    for (const Item& item : node.items) {
      const int branch = node.branch_of[item.row];
      one_by_one.set(item.row, branch);
      if (branch < 2 && branches <= 256) {
        rows.push_back(item.row);
      } else {
        together.set(&item, &item + 1, branch, row_of);
      }
    }
    together.set(node.items.data(), node.items.data(), 1, row_of);  // none
    together.part(
        rows.data(), rows.data() + rows.size(),
        [&](std::uint32_t row) { return row % 5 == 0 ? -1 : node.branch_of[row]; },
        [&](std::uint32_t row) { together.set(row, node.branch_of[row]); });
    one_by_one.finish();
    together.finish();
    CHECK(one_by_one.starts() == together.starts());
    std::vector<Item> a = node.items, b = node.items, spare;
    one_by_one.divide(a.data(), a.size(), spare, row_of);
    together.divide(b.data(), b.size(), spare, row_of);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i].row == b[i].row);
  }
}

TEST(branches_may_be_empty) {
  for (int branches : {2, 3, 300}) {
    for (int only : {0, branches / 2, branches - 1}) {
      Random random(3);
      Node node = random_node(40, 30, branches, random);
      for (int& b : node.branch_of) b = b < 0 ? b : only;
      RowBranches fresh(40);
      std::vector<Item> spare;
      CHECK(divides(fresh, node, branches, spare));
      CHECK(fresh.starts()[static_cast<std::size_t>(only)] == 0);
      CHECK(fresh.starts()[static_cast<std::size_t>(only) + 1] == 30);
    }
  }
}

TEST(all_rows_may_lie_in_the_first_two_of_many) {
  Random random(6);
  for (int branches : {3, 256, 257, 300}) {
    const Node node = random_node(80, 60, 2, random);
    RowBranches fresh(80);
    std::vector<Item> spare;
    CHECK(divides(fresh, node, branches, spare));
  }
}

TEST(items_of_four_bytes_are_divided_alike) {
  Random random(7);
  std::vector<ItemOf<std::uint16_t>> spare;
  for (int branches : {2, 3, 300}) {
    for (std::size_t n : {1, 7, 8, 9, 15, 16, 17, 64, 100, 1000}) {
      RowBranches fresh(n + 50);
      CHECK(
          divides(fresh, random_node<std::uint16_t>(n + 50, n, branches, random), branches, spare));
    }
  }
}

TEST(copies_divide_nodes_that_share_no_row) {
  Random random(4);
  for (int branches : {2, 3, 300}) {
    // Rows 0..99 for one node, 100..199 for the other; both are set before either is divided.
    RowBranches one(200);
    RowBranches other = one;
    std::vector<Item> items[2];
    std::vector<int> branch_of;
    for (std::uint32_t row = 0; row < 200; ++row) {
      branch_of.push_back(random.below(branches));
      items[row / 100].push_back({row, row});
    }
    one.prepare(branches);
    other.prepare(branches);
    for (std::size_t row = 0; row < 200; ++row) (row < 100 ? one : other).set(row, branch_of[row]);
    one.finish();
    other.finish();
    std::vector<Item> spare;
    one.divide(items[0].data(), 100, spare, [](const Item& item) { return item.row; });
    other.divide(items[1].data(), 100, spare, [](const Item& item) { return item.row; });
    for (const auto& part : items) {
      for (std::size_t i = 1; i < 100; ++i) {
        const int before = branch_of[part[i - 1].row], here = branch_of[part[i].row];
        CHECK(before < here || (before == here && part[i - 1].row < part[i].row));
      }
    }
  }
}

TEST(a_small_example_is_divided_correctly) {
  // a..f are rows 0..5 and h row 6; x is sorted as c a f h b e, and a, b, c go left.
  Node node;
  node.branch_of = {0, 0, 0, -1, 1, 1, 1};
  for (std::uint32_t row : {2u, 0u, 5u, 6u, 1u, 4u}) {
    node.items.push_back({static_cast<std::uint32_t>(node.items.size()), row});
  }
  RowBranches fresh(7);
  std::vector<Item> spare;
  CHECK(divides(fresh, node, 2, spare));
  std::string order;
  std::vector<Item> items = node.items;
  fresh.divide(items.data(), items.size(), spare, [](const Item& item) { return item.row; });
  for (const Item& item : items) order += "abcdefh"[item.row];
  CHECK(order == "cabfhe");
}

static_assert(std::is_same_v<decltype(RowBranches(0).starts()), const std::vector<std::size_t>&>,
              "places in a node of more than 2^31 rows need 64 bits");

// Items of rows that go both ways are in both parts, in their order.
TEST(rows_in_parts_go_both_ways) {
  Random random(9);
  std::vector<Item> spare;
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::size_t>(random.between(0, 70));
    const NodeOf<Item> node = random_node(100, n, 2, random);
    std::vector<std::uint8_t> side(100);
    for (std::uint8_t& to : side) to = static_cast<std::uint8_t>(random.between(0, 3));
    std::vector<Item> expected[2];
    for (const Item& item : node.items) {
      for (int j = 0; j < 2; ++j) {
        if ((side[item.row] >> j) % 2 == 1) expected[j].push_back(item);
      }
    }
    const std::size_t left = expected[0].size();
    std::vector<Item> items = node.items;
    items.resize(std::max(n, left + expected[1].size()));
    divide_in_parts(items.data(), n, left, spare, side.data(),
                    [](const Item& item) { return item.row; });
    expected[0].insert(expected[0].end(), expected[1].begin(), expected[1].end());
    CHECK(std::equal(expected[0].begin(), expected[0].end(), items.begin(),
                     [](const Item& a, const Item& b) { return a.place == b.place; }));
  }
}
