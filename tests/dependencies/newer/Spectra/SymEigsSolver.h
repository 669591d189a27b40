#pragma once

// Stands in for Spectra 1.1 and later, which named the base of the symmetric solvers anew.
#define SymEigsBase HermEigsBase
#include_next <Spectra/SymEigsSolver.h>
#undef SymEigsBase
