#pragma once

#include <ostream>

#include "data.hpp"
#include "unfurl/core/report.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/quality_sheet.hpp"

namespace embed {

/// The quality sheet of a map, with that of the labels where they name kinds.
unfurl::QualitySheet quality_of(const unfurl::Matrix<double>& X, const unfurl::Matrix<double>& Y,
                                const Labels& labels);

/// What happened during a fit, a line a fact.
void print(std::ostream& out, const unfurl::FitReport& report);

void print(std::ostream& out, const unfurl::QualitySheet& sheet);

}  // namespace embed
