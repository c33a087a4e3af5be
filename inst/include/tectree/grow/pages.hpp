// Orders of a search's rows, a page each, of which the search and its like see one at a time: that
// of the node in work. Several are there where lanes have disagreed on a split.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../search/door.hpp"

namespace tectree {

// Search has a type Page, an order of its rows; swap(page) puts one in the place of the rows that
// the search and all that share its rows work on; copy(node, page) takes the rows of a node.
template <class Search>
class Pages {
 public:
  struct Page {
    typename Search::Page rows;  // none while it is the one that is seen
    std::vector<std::uint32_t> test;
  };
  using Ref = std::shared_ptr<Page>;

  // With the rows as `search` has them, and these left-out rows beside them.
  void start(Search& search, std::vector<std::uint32_t> test) {
    search_ = &search;
    current_ = std::make_shared<Page>();
    current_->test = std::move(test);
  }

  // The page that is seen.
  const Ref& current() const { return current_; }

  void turn_to(const Ref& page) {
    if (page == current_) return;
    search_->swap(current_->rows);
    search_->swap(page->rows);
    if (current_.use_count() == 1) spare_.push_back(std::move(current_));
    current_ = page;
  }

  // A new page with a node's rows alone, and test[begin, end); both are on the page that is seen.
  Ref copy(const Range& node, std::size_t test_begin, std::size_t test_end) {
    Ref page = fresh();
    search_->copy(node, page->rows);
    const auto test = current_->test.begin();
    page->test.assign(test + test_begin, test + test_end);
    return page;
  }

 private:
  Ref fresh() {
    if (spare_.empty()) return std::make_shared<Page>();
    Ref page = std::move(spare_.back());
    spare_.pop_back();
    return page;
  }

  Search* search_ = nullptr;
  Ref current_;
  std::vector<Ref> spare_;  // keep their memory
};

}  // namespace tectree
