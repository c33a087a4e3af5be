// For what follows in a program that makes all growers: optimizing what the sanitizers put into
// that much code takes several times as long as running it.
#pragma once

#ifdef __clang__
#pragma clang optimize off
#else
#pragma GCC optimize("O0")
#endif
