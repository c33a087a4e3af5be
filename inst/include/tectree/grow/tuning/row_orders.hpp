// Orders of a search's rows, of which the search and similar searches see one at a time: that of
// the current node. There are several if criteria have disagreed on a split.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../search/door/node_search.hpp"

namespace tectree {

class RowOrders {
 public:
  struct BothRows {
    std::unique_ptr<RowOrder> rows;  // none for the visible order
    std::vector<std::uint32_t> test;
  };
  using Ref = std::shared_ptr<BothRows>;

  // With the rows of `search`, and these held-out rows beside them.
  void start(NodeSearch& search, std::vector<std::uint32_t> test) {
    search_ = &search;
    current_ = std::make_shared<BothRows>();
    current_->test = std::move(test);
  }

  // The visible order.
  const Ref& current() const { return current_; }

  void turn_to(const Ref& row_order) {
    if (row_order == current_) return;
    search_->swap(current_->rows);
    search_->swap(row_order->rows);
    current_ = row_order;
  }

  // A new order with only a node's rows, and test[begin, end); both are in the visible order.
  // `node` is then the node in the new order.
  Ref copy(Node& node, std::size_t test_begin, std::size_t test_end) {
    auto row_order = std::make_shared<BothRows>();
    node = search_->copy(node, row_order->rows);
    const auto test = current_->test.begin();
    row_order->test.assign(test + test_begin, test + test_end);
    return row_order;
  }

 private:
  NodeSearch* search_ = nullptr;
  Ref current_;
};

}  // namespace tectree
