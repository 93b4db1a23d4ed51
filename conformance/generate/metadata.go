package generate

import "strings"

// Metadata of a new object.
func (s *Source) Metadata(namespaced bool) Object {
	meta := Object{"name": s.Text(goodDomains, badDomains)}
	if namespaced {
		s.Maybe(0.8, meta, "namespace", func() any { return s.Text([]string{"default", "ns-1"}, []string{"", "NS", "a.b", label63 + "x"}) })
	} else if s.Bad() {
		meta["namespace"] = "ns-1"
	}
	if s.Chance(0.05) || s.Bad() {
		meta["generateName"] = s.Text([]string{"a-", "gpu", "x.", label63}, []string{"A", "", "a_b-", subdomain + "x", "-", "a/"})
		if s.Chance(0.8) {
			delete(meta, "name")
		}
	}
	s.Maybe(0.2, meta, "labels", func() any { return s.labels() })
	s.Maybe(0.15, meta, "annotations", func() any { return s.annotations() })
	s.Maybe(0.1, meta, "ownerReferences", func() any { return Fill(s.Below(3), func(int) any { return s.ownerReference() }) })
	s.Maybe(0.1, meta, "finalizers", func() any { return s.finalizers() })
	if s.Chance(0.05) {
		s.serverFields(meta)
	}
	if s.Bad() && s.Chance(0.2) {
		meta["managedFields"] = Fill(1+s.Below(2), func(int) any { return s.managedFields() })
	}
	return meta
}

func (s *Source) labels() Object {
	labels := Object{}
	for range s.Below(4) {
		labels[s.Text(goodTaints, badTaints)] = s.Text(goodValues, badValues)
	}
	return labels
}

func (s *Source) annotations() Object {
	annotations := Object{}
	for range s.Below(3) {
		annotations[s.Text(append(goodTaints, "UPPER.example.com/Key"), badTaints)] = Pick(s, "", "any text ü", "{}")
	}
	if s.Bad() && s.Chance(0.05) {
		annotations["big"] = strings.Repeat("x", 256*1024)
	}
	return annotations
}

func (s *Source) ownerReference() Object {
	reference := Object{
		"apiVersion": s.Text([]string{"v1", "apps/v1"}, []string{"", "a/b/c", "/"}),
		"kind":       s.Text([]string{"Pod", "ReplicaSet"}, []string{"", "Event"}),
		"name":       s.Text([]string{"owner"}, []string{""}),
		"uid":        s.Text([]string{"u1", "u2"}, []string{""}),
	}
	s.Maybe(0.4, reference, "controller", func() any { return s.bool() })
	s.Maybe(0.1, reference, "blockOwnerDeletion", func() any { return s.bool() })
	return reference
}

func (s *Source) finalizers() List {
	return Fill(1+s.Below(2), func(int) any {
		return s.Text([]string{"resource.kubernetes.io/delete-protection", "example.com/f", "orphan"},
			[]string{"", "f", "kubernetes", "foregroundDeletion", "orphan", "a/b/c", "-/x", "Example.com/f"})
	})
}

// serverFields are what a dump of a live object carries besides.
func (s *Source) serverFields(meta Object) {
	meta["uid"] = Pick(s, goodUUIDs...)
	meta["resourceVersion"] = "7"
	meta["generation"] = s.number(1, 2, 3)
	meta["creationTimestamp"] = s.time()
	if s.Chance(0.3) {
		meta["managedFields"] = List{Object{"manager": "kubectl", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": Object{}, "time": s.time()}}
	}
}

func (s *Source) managedFields() Object {
	entry := Object{"apiVersion": "v1", "fieldsV1": Object{"f:a": Object{}}}
	s.Maybe(0.9, entry, "manager", func() any {
		return s.Text([]string{"kubectl"}, []string{"", strings.Repeat("m", 129), "tab\t", "line\n"})
	})
	s.Maybe(0.9, entry, "operation", func() any { return s.Text([]string{"Apply", "Update"}, []string{"", "Patch"}) })
	s.Maybe(0.9, entry, "fieldsType", func() any { return s.Text([]string{"FieldsV1"}, []string{"", "FieldsV2"}) })
	s.Maybe(0.2, entry, "subresource", func() any { return s.Text([]string{"status"}, []string{strings.Repeat("s", 257)}) })
	return entry
}

// Store makes a generated object one that a server may hold.
func (s *Source) Store(object Object) {
	meta, ok := object["metadata"].(Object)
	if !ok {
		return
	}
	if _, ok := meta["name"]; !ok {
		meta["name"] = "stored"
	}
	s.serverFields(meta)
	if s.Chance(0.1) {
		meta["deletionTimestamp"] = s.time()
		s.Maybe(0.5, meta, "deletionGracePeriodSeconds", func() any { return int64(30) })
	}
}

// changeMetadata edits the metadata of an update.
func (s *Source) changeMetadata(meta Object) {
	switch s.IntN(16) {
	case 0:
		delete(meta, "resourceVersion")
	case 1:
		meta["resourceVersion"] = Pick(s, "8", "7", "0", "")
	case 2:
		meta["labels"] = s.labels()
	case 3:
		meta["annotations"] = s.annotations()
	case 4:
		meta["finalizers"] = s.finalizers()
	case 5:
		meta["uid"] = Pick(s, goodUUIDs...)
	case 6:
		meta["deletionTimestamp"] = s.time()
	case 7:
		delete(meta, "deletionTimestamp")
	case 8:
		meta["deletionGracePeriodSeconds"] = Pick[int64](s, 0, 30, 60)
	case 9:
		meta["generation"] = s.number(0, 1, 5)
	case 10:
		meta["creationTimestamp"] = s.time()
	case 11:
		meta["name"] = s.Text(goodDomains, badDomains)
	case 12:
		meta["ownerReferences"] = Fill(s.Below(3), func(int) any { return s.ownerReference() })
	case 13:
		delete(meta, "uid")
	case 14:
		delete(meta, Pick(s, "namespace", "labels", "annotations", "creationTimestamp", "finalizers"))
	case 15:
		meta["generateName"] = s.Text([]string{"a-"}, []string{"A_"})
	}
}
