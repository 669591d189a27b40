#error "Spectra 1.1 and later have no SymEigsBase.h"
