// Verbs: what can be asked of a resource; one file each.
//
// Each takes the request and answers it, now or once the store has. REQUIRES: the resource has the
// verb, and who asks may.
#pragma once

#include "apiserver/ask.h"

namespace quadra::apiserver {

using VerbFunction = void (*)(const Backend& backend, Ask ask, net::Exchange exchange);

void Get(const Backend& backend, Ask ask, net::Exchange exchange);
void List(const Backend& backend, Ask ask, net::Exchange exchange);
void Watch(const Backend& backend, Ask ask, net::Exchange exchange);
void Create(const Backend& backend, Ask ask, net::Exchange exchange);
// Creates a Binding: pods/NAME/binding, or the collection of bindings.
void Bind(const Backend& backend, Ask ask, net::Exchange exchange);
// Creates what is answered and not stored; see IsReview.
void Review(const Backend& backend, Ask ask, net::Exchange exchange);
bool IsReview(const api::KindSchema& kind);
void Update(const Backend& backend, Ask ask, net::Exchange exchange);
void Patch(const Backend& backend, Ask ask, net::Exchange exchange);
void Delete(const Backend& backend, Ask ask, net::Exchange exchange);
void DeleteCollection(const Backend& backend, Ask ask, net::Exchange exchange);

}  // namespace quadra::apiserver
