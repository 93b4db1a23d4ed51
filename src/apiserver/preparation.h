// Preparation: what upstream's strategies write into objects of some kinds before they are stored,
// beyond what its defaults do. strategy.cc says whose they are.
//
// Pure functions. REQUIRES of all: an object of a kind that has the fields named.
#pragma once

#include "api/object.h"

namespace quadra::apiserver {

// metadata.generation is 1 at first, and grows with every change of anything but metadata and status.
void BeginGeneration(api::Object& object);
void CountGeneration(api::Object& object, const api::Object& standing);

// Of deployments also with a change of their annotations.
void CountAnnotations(api::Object& object, const api::Object& standing);

// Whoever writes the status of some kinds writes no labels, or nothing of metadata but its version.
void KeepLabels(api::Object& object, const api::Object& standing);
void KeepMetadata(api::Object& object, const api::Object& standing);

// status.phase of volumes and of claims to them: Pending; of volumes since they were made.
void BeginPhase(api::Object& object);
void BeginVolume(api::Object& volume);

// Jobs select their pods by their own uid, unless somebody chose a selector. The labels of a job are
// those of its pods where it has none. REQUIRES: a uid.
void SelectByUid(api::Object& job);

// Templates of daemon sets are counted in an annotation, which clients cannot write.
void BeginTemplateGeneration(api::Object& daemons);
void CountTemplateGeneration(api::Object& daemons, const api::Object& standing);

// The lists of addresses and families of a service that has an address, or wants none.
void ListAddresses(api::Object& service);

}  // namespace quadra::apiserver
