// Contracts that the compiler checks: what a template needs of a type, each requirement with the
// sentence that the compiler prints where it is not met.
//
//   template <class Shape>
//   constexpr bool is_shape() {
//     static_assert(meets<Shape&>(TECTREE_CAN(shape, shape.area())),
//                   "a Shape must have area()");
//     return true;
//   }
//
// The template that uses a Shape says static_assert(is_shape<Shape>()). A test of the sentence is a
// file in tests/cpp/contracts/.
#pragma once

#include <type_traits>
#include <utility>

namespace tectree {

// Whether the expression made by TECTREE_CAN is valid for a value of type T.
template <class T, class Expression>
constexpr bool meets(Expression) {
  return std::is_invocable_v<Expression, T>;
}

// A value of a type, in expressions that are never run.
template <class T>
T&& some() noexcept;

template <class T>
using plain = std::remove_cv_t<std::remove_reference_t<T>>;

}  // namespace tectree

// An expression with `it`, to be checked by meets().
#define TECTREE_CAN(it, ...) \
  [](auto&& it) -> decltype(static_cast<void>(it), static_cast<void>(__VA_ARGS__)) {}
