// Repair: the changes after which a case would fit, tried one by one.
#pragma once

#include "diagnosis/diagnose.h"
#include "placement/place.h"

namespace quadra::diagnosis {

// Adds what was found to `diagnosis.fixes`, and what it took to its effort. REQUIRES: its findings are there, nearest first.
void FindRepairs(placement::Placer& placer, const placement::Examination& examined,
                 const DiagnoseOptions& options, Diagnosis& diagnosis);

}  // namespace quadra::diagnosis
