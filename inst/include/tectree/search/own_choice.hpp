// A task may bring its own rule of choice among columns: a type `Choice`, which choice() makes.
#pragma once

#include <type_traits>

namespace tectree {

template <class Task, class = void>
struct OwnChoice {
  static constexpr bool exists = false;
  explicit OwnChoice(const Task&) {}
};

template <class Task>
struct OwnChoice<Task, std::void_t<typename Task::Choice>> {
  static constexpr bool exists = true;
  explicit OwnChoice(const Task& task) : rule(task.choice()) {}
  typename Task::Choice rule;
};

}  // namespace tectree
