// Orders of a search's rows, of which the search and its like see one at a time: that of the node
// in work. Several are there where criteria have disagreed on a split.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../search/door/node_search.hpp"

namespace tectree {

// Search has a type RowOrder; swap(order) puts one in the place of the rows that the search and all
// that share its rows work on; copy(node, order) takes the rows of a node.
template <class Search>
class RowOrders {
 public:
  struct RowOrder {
    typename Search::RowOrder rows;  // none while it is the one that is seen
    std::vector<std::uint32_t> test;
  };
  using Ref = std::shared_ptr<RowOrder>;

  // With the rows as `search` has them, and these left-out rows beside them.
  void start(Search& search, std::vector<std::uint32_t> test) {
    search_ = &search;
    current_ = std::make_shared<RowOrder>();
    current_->test = std::move(test);
  }

  // The order that is seen.
  const Ref& current() const { return current_; }

  void turn_to(const Ref& row_order) {
    if (row_order == current_) return;
    search_->swap(current_->rows);
    search_->swap(row_order->rows);
    if (current_.use_count() == 1) spare_.push_back(std::move(current_));
    current_ = row_order;
  }

  // A new order with a node's rows alone, and test[begin, end); both are in the order that is seen.
  Ref copy(const Range& node, std::size_t test_begin, std::size_t test_end) {
    Ref row_order = fresh();
    search_->copy(node, row_order->rows);
    const auto test = current_->test.begin();
    row_order->test.assign(test + test_begin, test + test_end);
    return row_order;
  }

 private:
  Ref fresh() {
    if (spare_.empty()) return std::make_shared<RowOrder>();
    Ref row_order = std::move(spare_.back());
    spare_.pop_back();
    return row_order;
  }

  Search* search_ = nullptr;
  Ref current_;
  std::vector<Ref> spare_;  // keep their memory
};

}  // namespace tectree
