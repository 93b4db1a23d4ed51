// Selectors: where devices meet CEL. The door of this folder.
//
//   Language language;                                             // environments and columns
//   ExpressionCache cache(language);
//   auto expression = cache.Get(text, Profile::Stored(), Use::kSelector);
//   if (expression->error()) ...                                   // upstream's words
//   TableWriter writer(language.columns());                        // filled from slices
//   Bitmaps bitmaps(expression);
//   bitmaps.Refresh(writer.Take(), scratch);                       // all devices at once
#pragma once

#include "selector/bitmaps.h"
#include "selector/cache.h"
#include "selector/device_table.h"
#include "selector/expression.h"
#include "selector/match.h"
