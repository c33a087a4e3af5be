// Contracts that the compiler checks: what a template requires of a type, each requirement with the
// sentence that the compiler prints if it is not met.
//
//   template <class Shape>
//   constexpr bool is_shape() {
//     static_assert(meets<Shape&>(TECTREE_CAN(shape, shape.area())),
//                   "a Shape must have area()");
//     return true;
//   }
//
// The template that uses a Shape contains static_assert(is_shape<Shape>()). Files in
// tests/cpp/contracts/ test the sentences.
#pragma once

#include <type_traits>
#include <utility>

namespace tectree {

// Whether the expression made by TECTREE_CAN is valid for a value of type T.
template <class T, class Expression>
constexpr bool meets(Expression) {
  return std::is_invocable_v<Expression, T>;
}

// A value of type T, in unevaluated expressions.
template <class T>
T&& some() noexcept;

template <class T>
using plain = std::remove_cv_t<std::remove_reference_t<T>>;

}  // namespace tectree

// An expression of `it`, to be checked by meets().
#define TECTREE_CAN(it, ...) \
  [](auto&& it) -> decltype(static_cast<void>(it), static_cast<void>(__VA_ARGS__)) {}
