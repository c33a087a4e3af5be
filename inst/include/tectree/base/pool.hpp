// The helpers of one call: threads that wait, without spinning, for loops to share with the caller.
//
// They start with the first loop that is shared and end with the pool. The caller works too, and
// closes a loop once it finds no item left: a helper that was too late to join is not waited for,
// so that a busy machine costs little. A thread that the system refuses is done without.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

namespace tectree {

// Processors that this process may use.
inline int processors() {
#ifdef __linux__
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 0)
    return CPU_COUNT(&mine);
#endif
  const unsigned known = std::thread::hardware_concurrency();
  return known > 0 ? static_cast<int>(known) : 1;
}

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

  // Calls work(object, number): number 0 on this thread, 1 up to `helpers` on those of the helpers
  // that come in time. Ends when all have ended; `work` must not throw.
  void run(int helpers, void* object, void (*work)(void*, int)) {
    start(helpers);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      object_ = object;
      work_ = work;
      places_ = helpers;
      ++loop_;
    }
    wake_.notify_all();
    work(object, 0);
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
      void* const object = object_;
      void (*const work)(void*, int) = work_;
      lock.unlock();
      work(object, number);
      lock.lock();
      if (--working_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> helpers_;
  bool refused_ = false;  // the system gave no more threads
  std::mutex mutex_;      // of all below
  std::condition_variable wake_, done_;
  std::size_t loop_ = 0;  // number of the loop that is open
  void* object_ = nullptr;
  void (*work_)(void*, int) = nullptr;
  int places_ = 0;   // helpers that may join it
  int working_ = 0;  // helpers at work
  bool over_ = false;
};

}  // namespace tectree
