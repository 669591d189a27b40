#pragma once

#include <string>
#include <vector>

// Three small studies of diffusion maps, shown by the tour and by examples/diffusion_map.cpp.
namespace example {

/// An SVG picture and what is to be seen on it.
struct Picture {
  std::string file;  ///< its name, without an ending
  std::string svg;
  std::string caption;
};

struct Exercise {
  std::string name;
  std::string finding;  ///< lines of text
  bool as_expected = false;
  std::vector<Picture> pictures = {};
};

/// An open curve: the first coordinate is a position along it, so it puts the points in order.
Exercise spiral_in_order();

/// A and B face each other across a thin bridge, C lies in B's disk: shortest paths find A nearer
/// to B than C, random walks do not.
Exercise two_disks_and_a_bridge();

/// Later in time only the coarsest structure is left. One fit serves all times.
Exercise digits_over_time();

}  // namespace example
