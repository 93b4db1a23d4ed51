package generate

// Question is what `quadra validate --stream` reads.
type Question struct {
	Operation       string          `json:"operation"`
	Object          Object          `json:"object"`
	Old             Object          `json:"old,omitempty"`
	FeatureGates    map[string]bool `json:"featureGates,omitempty"`
	NamespaceLabels Object          `json:"namespaceLabels,omitempty"`
}

// ResourceQuestion is about one object of resource.k8s.io.
func (s *Source) ResourceQuestion() Question {
	s.Faults = Pick(s, 0, 0.004, 0.01, 0.02, 0.05, 0.1, 0.25)
	question := s.resourceRequest()
	question.FeatureGates = s.gates()
	s.labelNamespace(&question)
	return question
}

func (s *Source) labelNamespace(question *Question) {
	if s.Chance(0.5) {
		question.NamespaceLabels = Object{"resource.kubernetes.io/admin-access": s.Text([]string{"true"}, []string{"false", "True", ""})}
	}
}

func (s *Source) resourceRequest() Question {
	switch n := s.IntN(100); {
	case n < 30:
		return s.mainRequest(s.ResourceSlice)
	case n < 45:
		return s.mainRequest(s.ResourceClaim)
	case n < 65:
		object, old := s.ClaimStatusChange()
		return Question{Operation: "status", Object: s.versioned(object), Old: s.versioned(old)}
	case n < 75:
		return s.mainRequest(s.ResourceClaimTemplate)
	case n < 85:
		return s.mainRequest(s.DeviceClass)
	case n < 92:
		return s.withStatus(s.DeviceTaintRule, s.ruleStatus)
	default:
		return s.withStatus(s.ResourcePoolStatusRequest, s.poolRequestStatus)
	}
}

// mainRequest creates or updates an object of a kind that has no status of interest here.
func (s *Source) mainRequest(generate func() Object) Question {
	if s.Chance(0.6) {
		return s.creation(generate)
	}
	return s.change(generate)
}

func (s *Source) creation(generate func() Object) Question {
	object := generate()
	if s.Chance(0.15) {
		s.Mutate(object)
	}
	return Question{Operation: "create", Object: s.versioned(object)}
}

// change updates a stored object, which may be one that today's rules refuse.
func (s *Source) change(generate func() Object) Question {
	old := s.stored(generate)
	object := Clone(old).(Object)
	for range s.Below(3) {
		s.edit(object, generate)
	}
	return Question{Operation: "update", Object: s.versioned(object), Old: s.versioned(old)}
}

func (s *Source) stored(generate func() Object) Object {
	faults := s.Faults
	s.Faults *= Pick(s, 0, 0, 1.0)
	old := generate()
	s.Store(old)
	s.Faults = faults
	return old
}

func (s *Source) edit(object Object, generate func() Object) {
	switch s.IntN(4) {
	case 0:
		s.Mutate(object)
	case 1:
		if meta, ok := object["metadata"].(Object); ok {
			s.changeMetadata(meta)
		}
	default:
		s.Cross(object, generate())
	}
}

// withStatus asks about a kind with status: half of the changes are status updates.
func (s *Source) withStatus(generate, status func() Object) Question {
	if s.Chance(0.4) {
		return s.creation(generate)
	}
	question := s.change(generate)
	if s.Chance(0.6) {
		question.Operation = "status"
		if s.Chance(0.6) {
			delete(question.Old, "status")
		}
		s.Maybe(0.9, question.Object, "status", func() any { return status() })
	}
	return question
}

// versioned writes the object in one of the versions of its kind.
func (s *Source) versioned(object Object) Object {
	switch object["kind"] {
	case "ResourcePoolStatusRequest":
		return InVersion(object, "v1alpha3")
	case "DeviceTaintRule":
		return InVersion(object, Pick(s, "v1", "v1beta2", "v1alpha3"))
	}
	return InVersion(object, Pick(s, "v1", "v1", "v1beta1", "v1beta2"))
}

// Gates that change what happens to a field; each is set with those that depend on it, or that it depends on.
var gateToggles = []map[string]bool{
	{"DRADeviceTaints": false, "DRADeviceTaintRules": false},
	{"DRADeviceTaintRules": false},
	{"DRAPartitionableDevices": false},
	{"DRAConsumableCapacity": false},
	{"DRAConsumableCapacity": true, "DRAFractionalCapacityRange": true},
	{"DRADeviceBindingConditions": false},
	{"DRAListTypeAttributes": true},
	{"DRANodeAllocatableResources": true},
	{"DRADerivedAttributes": true},
	{"DRADeviceCompatibilityGroups": true, "DRAPartitionableDevices": true},
	{"DRAOptionalNodeOperations": true},
	{"DRAPartitionableDevicesType": true, "DRAResourcePoolStatus": true, "DRAPartitionableDevices": true},
	{"DRAResourceClaimGranularStatusAuthorization": false},
	{"DeclarativeValidationBeta": false},
}

// Every field is kept and checked.
var allGates = map[string]bool{
	"DRAFractionalCapacityRange": true, "DRAListTypeAttributes": true, "DRANodeAllocatableResources": true, "DRADerivedAttributes": true,
	"DRADeviceCompatibilityGroups": true, "DRAOptionalNodeOperations": true, "DRAPartitionableDevicesType": true, "DRAResourcePoolStatus": true,
}

// gates are the defaults, all on, a few toggled, or seldom ones no server starts with.
func (s *Source) gates() map[string]bool {
	switch n := s.IntN(100); {
	case n < 35:
		return nil
	case n < 65:
		return allGates
	case n < 66:
		return Pick(s, map[string]bool{"DRAAdminAccess": false}, map[string]bool{"DRADeviceTaints": false},
			map[string]bool{"NoSuchGate": true}, map[string]bool{"DRAAdminAccess": true}, map[string]bool{"DRAFractionalCapacityRange": true, "DRAConsumableCapacity": false})
	}
	gates := map[string]bool{}
	for range 1 + s.Below(3) {
		for name, value := range Pick(s, gateToggles...) {
			gates[name] = value
		}
	}
	return gates
}
