// A team: every item runs once, exceptions and interrupts leave the loop, only the caller's thread
// polls.
#include "check.h"

#include <tectree/base/team.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

#ifdef __GLIBC__
#include <pthread.h>
#endif
#ifdef __linux__
#include <sched.h>
#endif

using tectree::Interrupted;
using tectree::Team;

namespace {

const int team_sizes[] = {1, 2, 4};

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped by the host") {}
};

template <class Error, class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing of that kind was thrown";
}

}  // namespace

TEST(a_loop_visits_every_item_once) {
  for (int threads : {-1, 0, 1, 2, 4}) {
    for (std::size_t n : {0, 1, 2, 3, 5, 1000}) {
      Team team(threads);
      std::vector<int> visits(n, 0);
      team.each(n, [&](std::size_t i, Team&) { ++visits[i]; });
      CHECK(visits == std::vector<int>(n, 1));
    }
  }
}

TEST(a_body_gets_a_team_of_one_with_its_workers_number) {
  for (int threads : team_sizes) {
    Team team(threads);
    CHECK(team.size() == threads);
    std::vector<char> fits(500, 0);
    team.each(fits.size(), [&](std::size_t i, Team& inner) {
      fits[i] = inner.size() == 1 && inner.worker() >= 0 && inner.worker() < threads;
    });
    CHECK(fits == std::vector<char>(500, 1));
  }
}

TEST(two_bodies_at_a_time_never_have_the_same_worker) {
  Team team(4);
  std::vector<std::atomic<int>> busy(4);
  std::atomic<int> clashes{0};
  team.each(2000, [&](std::size_t, Team& inner) {
    const auto worker = static_cast<std::size_t>(inner.worker());
    if (busy[worker]++ != 0) ++clashes;
    --busy[worker];
  });
  CHECK(clashes == 0);
}

TEST(a_loop_inside_a_loop_stays_on_its_thread) {
  Team team(4);
  std::vector<int> strangers(64, 0);
  team.each(strangers.size(), [&](std::size_t i, Team& inner) {
    const auto here = std::this_thread::get_id();
    inner.each(10, [&](std::size_t, Team&) { strangers[i] += std::this_thread::get_id() != here; });
  });
  CHECK(strangers == std::vector<int>(64, 0));
}

TEST(a_loop_not_worth_sharing_runs_in_order_on_the_callers_thread) {
  Team team(4);
  const auto here = std::this_thread::get_id();
  std::vector<std::size_t> order;
  bool stays = true;
  team.each_if(false, 100, [&](std::size_t i, Team&) {
    order.push_back(i);
    stays = stays && std::this_thread::get_id() == here;
  });
  CHECK(stays);
  CHECK(order.size() == 100);
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == i);
}

TEST(an_exception_leaves_the_loop_as_it_was_thrown) {
  for (int threads : team_sizes) {
    Team team(threads);
    const auto throws_at_7 = [](std::size_t i, Team&) {
      if (i == 7) throw std::domain_error("item 7");
    };
    CHECK(message_of<std::domain_error>([&] { team.each(100, throws_at_7); }) == "item 7");
    CHECK(message_of<std::domain_error>([&] { team.each_if(false, 100, throws_at_7); }) ==
          "item 7");
    // A failure is not a request to stop: the team still works.
    int visits = 0;
    team.each_if(false, 5, [&](std::size_t, Team&) { ++visits; });
    CHECK(visits == 5);
  }
}

TEST(an_exception_stops_the_loop) {
  Team team(1);
  std::size_t last = 0;
  CHECK_THROWS(team.each(100, [&](std::size_t i, Team&) {
    last = i;
    if (i == 7) throw 7;
  }));
  CHECK(last == 7);
}

TEST(one_of_many_exceptions_is_thrown_and_all_are_freed) {
  for (int threads : team_sizes) {
    Team team(threads);
    const auto body = [](std::size_t i, Team&) {
      const auto held = std::make_unique<std::vector<int>>(1000, 1);
      throw std::domain_error("item " + std::to_string(i + held->size()));
    };
    CHECK(message_of<std::domain_error>([&] { team.each(100, body); }).rfind("item 1", 0) == 0);
  }
}

TEST(an_exception_passes_through_nested_loops) {
  for (int threads : team_sizes) {
    Team team(threads);
    const auto outer = [](std::size_t i, Team& inner) {
      inner.each(10, [i](std::size_t j, Team&) {
        if (i == 3 && j == 4) throw std::domain_error("3, 4");
      });
    };
    CHECK(message_of<std::domain_error>([&] { team.each(20, outer); }) == "3, 4");
  }
}

TEST(without_a_poll_nothing_interrupts) {
  Team team(2);
  for (int i = 0; i < 1000; ++i) team.check();
  std::atomic<int> visits{0};
  team.each(100, [&](std::size_t, Team& inner) {
    inner.check();
    ++visits;
  });
  CHECK(visits == 100);
}

TEST(only_the_callers_thread_is_asked) {
  for (int threads : team_sizes) {
    const auto here = std::this_thread::get_id();
    std::atomic<int> asked{0};
    std::atomic<int> elsewhere{0};
    Team team(threads, [&] {
      if (std::this_thread::get_id() != here) ++elsewhere;
      ++asked;
    });
    // Every thread checks until the poll has been called three times, also in a nested loop.
    team.each(static_cast<std::size_t>(threads), [&](std::size_t, Team& inner) {
      while (asked < 3) {
        inner.check();
        inner.each(2, [](std::size_t, Team& innermost) { innermost.check(); });
      }
    });
    CHECK(asked >= 3);
    CHECK(elsewhere == 0);
  }
}

TEST(a_host_that_stops_the_call_ends_every_body_and_its_exception_comes_out) {
  for (int threads : team_sizes) {
    Team team(threads, [] { throw Stopped(); });
    std::atomic<int> ended{0};
    const auto forever = [&](std::size_t, Team& inner) {
      const auto held = std::make_unique<std::vector<int>>(1000, 1);
      try {
        for (;;) inner.check();
      } catch (...) {
        ++ended;
        throw;
      }
    };
    const std::string said =
        message_of<Stopped>([&] { team.each(static_cast<std::size_t>(threads), forever); });
    CHECK(said == "stopped by the host");
    CHECK(ended >= 1);
    CHECK(ended <= threads);
  }
}

// Even if the other threads finished their bodies long before.
TEST(exceptions_of_the_calling_thread_take_precedence) {
  Team team(4);
  const auto here = std::this_thread::get_id();
  std::atomic<int> begun{0}, thrown{0};
  const auto wait_for = [](const std::atomic<int>& count) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (count == 0 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  };
  const auto throwing = [&](std::size_t, Team&) {
    if (std::this_thread::get_id() != here) {
      wait_for(begun);  // otherwise nothing may be left for the calling thread
      ++thrown;
      throw std::domain_error("another thread");
    }
    ++begun;
    wait_for(thrown);
    throw Stopped();
  };
  CHECK(message_of<Stopped>([&] { team.each(4, throwing); }) == "stopped by the host");
  CHECK(thrown >= 1);
}

TEST(a_stopped_team_stays_stopped) {
  for (int threads : team_sizes) {
    Team team(threads, [] { throw Stopped(); });
    const auto wait = [&] {
      for (;;) team.check();
    };
    CHECK(message_of<Stopped>(wait) == "stopped by the host");
    CHECK(message_of<Interrupted>([&] { team.check(); }) == "interrupted");
    std::atomic<int> visits{0};
    CHECK_THROWS(team.each(50, [&](std::size_t, Team&) { ++visits; }));
    CHECK(visits == 0);
  }
}

// Each loop copies the poll, which may need memory.
TEST(a_poll_that_cannot_be_copied_ends_the_loop) {
  struct Poll {
    std::atomic<int>* left;  // copies
    explicit Poll(std::atomic<int>* copies) : left(copies) {}
    Poll(const Poll& other) : left(other.left) {
      if (--*left < 0) throw std::bad_alloc();
    }
    void operator()() const {}
  };
  for (int threads : team_sizes) {
    std::atomic<int> left{100};
    Team team(threads, Poll(&left));
    std::atomic<int> visits{0};
    const auto visit = [&](std::size_t, Team&) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      ++visits;
    };
    left = 0;
    CHECK_THROWS(team.each(20, visit));
    const int ended = visits;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(visits == ended);  // no helper is still at work
    left = 100;
    visits = 0;
    team.each(20, visit);
    CHECK(visits == 20);
  }
}

#ifdef __GLIBC__
TEST(a_team_works_without_threads_that_the_system_refuses) {
  pthread_attr_t usual, huge;
  pthread_getattr_default_np(&usual);
  pthread_attr_init(&huge);
  pthread_attr_setstacksize(&huge, std::size_t{1} << 46);  // more than available
  CHECK(pthread_setattr_default_np(&huge) == 0);
  Team team(4);
  std::vector<int> visits(1000, 0);
  const auto here = std::this_thread::get_id();
  bool stays = true;
  team.each(visits.size(), [&](std::size_t i, Team&) {
    ++visits[i];
    stays = stays && std::this_thread::get_id() == here;
  });
  pthread_setattr_default_np(&usual);
  CHECK(visits == std::vector<int>(1000, 1));
  CHECK(stays);
}
#endif

TEST(a_team_shares_many_loops_one_after_the_other) {
  Team team(3);
  std::atomic<int> visits{0};
  for (int loop = 0; loop < 2000; ++loop) {
    const std::size_t n = static_cast<std::size_t>(loop % 5);
    team.each(n, [&](std::size_t, Team&) { ++visits; });
  }
  CHECK(visits == 2000 / 5 * (0 + 1 + 2 + 3 + 4));
}

TEST(the_processors_are_those_that_the_process_may_use) {
  const int all = tectree::processors();
  CHECK(all >= 1 && all <= static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
#ifdef __linux__
  cpu_set_t before, one;
  CHECK(sched_getaffinity(0, sizeof before, &before) == 0 && CPU_COUNT(&before) == all);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  }
  CHECK(sched_setaffinity(0, sizeof one, &one) == 0 && tectree::processors() == 1);
  CHECK(sched_setaffinity(0, sizeof before, &before) == 0 && tectree::processors() == all);
#endif
}
