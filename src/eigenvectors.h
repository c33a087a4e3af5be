// See tectree::Eigenvectors.
#pragma once

#include <cstddef>

void eigenvectors(std::size_t size, double* matrix);
