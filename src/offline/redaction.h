// Redaction: what of objects is fit to leave a cluster in a dump. A door of this folder.
//
//   for (json::Value& object : objects) Redact(object);
//   Anonymize(objects);                        // if names are to be hidden, too
//
// What places pods, and says why they wait, stays: both answer the same with what is left. Pure
// functions. Cost: linear in the objects; Anonymize holds every name once besides.
#pragma once

#include <vector>

#include "json/value.h"

namespace quadra::offline {

// Drops where people keep secrets though they should not (environments, commands, arguments, probes
// and hooks of containers, the manifests that kubectl keeps in an annotation), and who wrote what.
void Redact(json::Value& object);

// Renames objects, namespaces, nodes, pools, uids, and values of labels, everywhere alike and so that
// their order is the same; so containers, schedulers and scheduling gates. Drops addresses, images,
// volumes, annotations, finalizers, opaque parameters, and the messages, reasons and descriptions
// that people and programs wrote. Numbers and booleans among the values stay, and so do keys of
// labels, taints and resources, drivers, devices, requests, pods' names of their claims, types of
// conditions, attributes of devices and the selectors that read them. REQUIRES: objects of one cluster, all that are to be shared.
void Anonymize(std::vector<json::Value>& objects);

}  // namespace quadra::offline
