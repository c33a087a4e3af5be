// Runs a call once for each of its allocations, which then fails: the call must throw
// std::bad_alloc or give its usual result, and free everything. After every fourth failure the call
// is repeated, and must give its usual result.
#pragma once

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "faults/failing_new.h"

#include "check.h"
#include "tectree/tree/forest.hpp"
#include "tectree/tree/tree.hpp"

namespace faults {

// A result as numbers, which are compared bit by bit.
class Digest {
 public:
  template <class T>
  Digest& add(const std::vector<T>& values) {
    for (const T& x : values) numbers_.push_back(static_cast<double>(x));
    numbers_.push_back(static_cast<double>(values.size()));
    return *this;
  }
  Digest& add(const tectree::Tree& t) {
    add(t.parent).add(t.kind).add(t.variable).add(t.default_child).add(t.child).add(t.breaks);
    add(t.level).add(t.level_child).add(t.n).add(t.weight).add(t.yval).add(t.impurity);
    add(t.gain).add(t.score).add(t.share).add(t.surrogates.variable).add(t.surrogates.cut);
    return *this;
  }
  Digest& add(const tectree::Forest& f) {
    add(f.start).add(f.variable).add(f.right).add(f.cut).add(f.sides).add(f.shares);
    return add(f.weight).add(f.own);
  }
  bool operator==(const Digest& other) const {
    return numbers_.size() == other.numbers_.size() &&
           std::memcmp(numbers_.data(), other.numbers_.data(), numbers_.size() * sizeof(double)) ==
               0;
  }

 private:
  std::vector<double> numbers_;
};

// The failures of a program, and how many of them reached the caller.
struct Count {
  long points = 0, thrown = 0;
};
inline Count& count() {
  static Count all;
  return all;
}

inline std::string at_request(const char* what, long n, long of, bool sticks) {
  return std::string(what) + ": request " + std::to_string(n) + " of " + std::to_string(of) +
         (sticks ? " and all later ones" : "") + ": ";
}

// run() returns a Digest. `most`: about how many of its requests fail.
template <class Run>
void everywhere(const char* what, long most, Run run) {
  const Digest right = run();  // also makes what is made only once
  fail_at(0);
  CHECK(run() == right);
  const long all = requests;
  const long step = std::max(1L, all / most);
  long n = 1;
  for (bool sticks = false; n <= all; n += step, sticks = !sticks) {
    const std::string here = at_request(what, n, all, sticks);
    const long before = live;
    bool threw = false, same = true;
    fail_at(n, sticks);
    try {
      same = run() == right;
      fail_at(0);
    } catch (const std::bad_alloc&) {
      fail_at(0);
      threw = true;
    } catch (const std::exception& error) {
      fail_at(0);
      check::fail("faults", 0, here + "threw " + error.what());
    }
    ++count().points;
    count().thrown += threw;
    if (!same) check::fail("faults", 0, here + "another result");
    if (live != before)
      check::fail("faults", 0, here + std::to_string(live - before) + " allocations are not freed");
    if (count().points % 4 == 0 && !(run() == right))
      check::fail("faults", 0, here + "the next call gives another result");
    if (check::failures_of_this_test() > 10) return;
  }
}

}  // namespace faults
