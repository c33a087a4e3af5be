// Room base/: threads, random streams, SIMD. Independent of data and trees.
//
// The threads of one call: loops whose items run on several threads, and how to stop them.
//
// Any number of threads gives the same results. Only the calling thread asks the host whether to
// continue (R allows no other thread to ask); the others check a flag.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

namespace tectree {

// Processors available to this process.
inline int processors() {
#ifdef __linux__
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 0)
    return CPU_COUNT(&mine);
#endif
  const unsigned known = std::thread::hardware_concurrency();
  return known > 0 ? static_cast<int>(known) : 1;
}

// The helpers: threads that wait, without spinning, for loops to share with the caller. They start
// with the first shared loop and end with the pool. The caller works too, and closes a loop once no
// item is left: it does not wait for a helper that was too late to join, so a busy machine costs
// little. If the system refuses a thread, the pool works without it.
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  using Work = std::function<void(int)>;

  // Calls work(number): number 0 on this thread, 1 to `helpers` on the helpers that join in time.
  // Returns when all have finished; `work` must not throw.
  void run(int helpers, const Work& work) {
    start(helpers);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      work_ = &work;
      places_ = helpers;
      ++loop_;
    }
    wake_.notify_all();
    work(0);
    std::unique_lock<std::mutex> lock(mutex_);
    places_ = 0;
    done_.wait(lock, [&] { return working_ == 0; });
  }

 private:
  void start(int helpers) {
    while (!refused_ && static_cast<int>(helpers_.size()) < helpers) {
      try {
        const int number = static_cast<int>(helpers_.size()) + 1;
        helpers_.emplace_back([this, number] { help(number); });
      } catch (const std::system_error&) {
        refused_ = true;
      }
    }
  }

  void help(int number) {
    std::size_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return over_ || (loop_ != seen && number <= places_); });
      if (over_) return;
      seen = loop_;
      ++working_;
      const Work& work = *work_;
      lock.unlock();
      work(number);
      lock.lock();
      if (--working_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> helpers_;
  bool refused_ = false;  // the system gave no more threads
  std::mutex mutex_;      // guards all members below
  std::condition_variable wake_, done_;
  std::size_t loop_ = 0;  // number of the open loop
  const Work* work_ = nullptr;
  int places_ = 0;   // helpers that may join it
  int working_ = 0;  // helpers at work
  bool over_ = false;
};

// Ends the loops of the other threads after the calling thread was stopped.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

class Team {
 public:
  // Asks the host whether to continue; throws to stop the call. The exception reaches the caller.
  using Poll = std::function<void()>;

  explicit Team(int threads, Poll poll = {})
      : threads_(threads < 1 ? 1 : threads), poll_(std::move(poll)) {}

  // Whether a loop over this many cells of data is worth waking threads.
  static bool worth(std::size_t cells) { return cells > 20000; }

  int size() const { return threads_; }
  // Number of the thread that a body runs on: 0..size-1 of the team whose loop it is.
  int worker() const { return worker_; }

  // Throws if the call is to stop. Cheap: looks at a clock, and asks the host ten times a second.
  void check() {
    if (stop_->load(std::memory_order_relaxed)) throw Interrupted();
    if (!poll_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(100)) return;
    asked_ = now;
    try {
      poll_();
    } catch (...) {
      stop_->store(true);
      throw;
    }
  }

  // Calls body(item, inner) for item = 0..n-1 in any order, on all threads; `inner` is a team of
  // one for the functions that the body calls. The first exception stops the loop and is rethrown
  // here; one from the calling thread takes precedence, since the host's exception must not be
  // lost.
  template <class Body>
  void each(std::size_t n, Body body) {
    each_if(true, n, body);
  }

  // The same, but only on the calling thread unless `share`.
  template <class Body>
  void each_if(bool share, std::size_t n, Body body) {
    if (!share || threads_ == 1 || n < 2) {
      Team inner(*this, 0);
      for (std::size_t i = 0; i < n; ++i) {
        if (share) inner.check();  // a loop too small to share ends soon
        body(i, inner);
      }
      asked_ = inner.asked_;
      return;
    }
    each_parallel(n, [&body](std::size_t i, Team& inner) { body(i, inner); });
  }

 private:
  // The team of one inside a loop of `outer`; only the calling thread's may ask the host.
  Team(Team& outer, int worker)
      : threads_(1),
        worker_(worker),
        poll_(worker == 0 ? outer.poll_ : Poll()),
        stop_(outer.stop_),
        asked_(outer.asked_) {}

  // Each thread takes the next item. A std::function, so the loop is compiled once.
  void each_parallel(std::size_t n, const std::function<void(std::size_t, Team&)>& body) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex mutex;
    std::exception_ptr error;
    auto asked = asked_;
    if (!pool_) pool_ = std::make_unique<Pool>();
    const std::size_t most = static_cast<std::size_t>(threads_ - 1);
    pool_->run(static_cast<int>(n - 1 < most ? n - 1 : most), [&](int worker) {
      // Nothing may leave the pool while others work, not even a failed copy of the poll.
      try {
        Team inner(*this, worker);
        for (std::size_t i = next++; i < n && !failed.load(); i = next++) {
          inner.check();
          body(i, inner);
        }
        if (worker == 0) asked = inner.asked_;
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (worker == 0 || !failed) error = std::current_exception();
        failed = true;
      }
    });
    asked_ = asked;
    if (error) std::rethrow_exception(error);
  }

  int threads_;
  int worker_ = 0;
  Poll poll_;
  std::atomic<bool> own_stop_{false};
  std::atomic<bool>* stop_ = &own_stop_;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
  std::unique_ptr<Pool> pool_;  // made with the first shared loop
};

}  // namespace tectree
