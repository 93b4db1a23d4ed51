package allocate

import (
	"fmt"
	"math"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"quadra/conformance/dice"
)

// Selectors; DRIVER stands for one. The last few err on some devices or on all.
var goodSelectors = []string{
	`device.driver == "DRIVER"`, `device.driver == "DRIVER"`, `device.driver == "DRIVER"`, `true`, `true`,
	`device.driver.endsWith("example.com")`,
	`"DRIVER" in device.attributes && "model" in device.attributes["DRIVER"]`,
	`has(device.attributes["DRIVER"].numa) && device.attributes["DRIVER"].numa != 1`,
	`device.attributes["DRIVER"].?model.orValue("") == "a"`,
	`device.attributes["DRIVER"].?ecc.orValue(false) || device.driver == "a"`,
	`device.attributes["example.com"].?root.orValue("a") in ["a", "b"]`,
	`!has(device.capacity["DRIVER"].memory) || device.capacity["DRIVER"].memory.compareTo(quantity("4")) >= 0`,
	`!device.allowMultipleAllocations`,
}

var badSelectors = []string{`false`, `device.attributes["DRIVER"].model == "a"`, `device.attributes["DRIVER"].none == 1`,
	`device.attributes["DRIVER"].version.isGreaterThan(semver("1.5.0"))`, `device.attributes[`, `device.unknown`, `1`, ``}

func (m *maker) selectors(atMost int) []resourceapi.DeviceSelector {
	selectors := make([]resourceapi.DeviceSelector, m.IntN(atMost+1))
	for i := range selectors {
		text := dice.Pick(m, goodSelectors...)
		switch {
		case m.crowded:
			text = `device.attributes["DRIVER"].?model.orValue("") == "a"`
		case m.Chance(3):
			text = dice.Pick(m, badSelectors...)
		}
		selectors[i].CEL = &resourceapi.CELDeviceSelector{Expression: m.about(text)}
		if m.IntN(1000) == 0 {
			selectors[i].CEL = nil
		}
	}
	return selectors
}

// about is the expression about one of the drivers.
func (m *maker) about(text string) string {
	driver := dice.Pick(m, m.drivers...)
	if m.Chance(5) {
		driver = dice.Pick(m, drivers...)
	}
	return strings.ReplaceAll(text, "DRIVER", driver)
}

func (m *maker) makeClasses() []any {
	objects := []any{}
	for i := range 1 + m.weigh([]int{75, 25}, 50, 50) {
		class := &resourceapi.DeviceClass{TypeMeta: meta("DeviceClass")}
		class.Name = fmt.Sprintf("class-%d", i)
		if !m.crowded && (i > 0 || m.Chance(25)) {
			class.Spec.Selectors = m.selectors(1)
		}
		for range m.weigh([]int{88, 12}, 75, 18, 7) {
			class.Spec.Config = append(class.Spec.Config, resourceapi.DeviceClassConfiguration{DeviceConfiguration: m.config()})
		}
		if m.Chance(1) {
			class.Name = "class-0"
		}
		m.classes = append(m.classes, class.Name)
		objects = append(objects, class)
	}
	return objects
}

func (m *maker) class() string {
	if m.IntN(200) == 0 {
		return dice.Pick(m, "missing", "")
	}
	return dice.Pick(m, m.classes...)
}

func (m *maker) config() resourceapi.DeviceConfiguration {
	m.names++
	return resourceapi.DeviceConfiguration{Opaque: &resourceapi.OpaqueDeviceConfiguration{Driver: dice.Pick(m, drivers...),
		Parameters: runtime.RawExtension{Raw: []byte(fmt.Sprintf(`{"b":%d,"a":[1.50,null]}`, m.names))}}}
}

// held are the claims that have devices already.
func (m *maker) held() []any {
	objects := []any{}
	if len(m.devices) == 0 || m.Chance(57) {
		return objects
	}
	for i := range 1 + m.some(70, 30) {
		claim := &resourceapi.ResourceClaim{TypeMeta: meta("ResourceClaim")}
		claim.Namespace, claim.Name = "default", fmt.Sprintf("held-%d", i)
		claim.Status.Allocation = &resourceapi.AllocationResult{}
		for range 1 + m.some(60, 30, 10) {
			claim.Status.Allocation.Devices.Results = append(claim.Status.Allocation.Devices.Results, m.holding(dice.Pick(m, m.devices...)))
		}
		objects = append(objects, claim)
	}
	return objects
}

func (m *maker) holding(at place) resourceapi.DeviceRequestAllocationResult {
	result := resourceapi.DeviceRequestAllocationResult{Request: "r", Driver: at.driver, Pool: at.pool, Device: at.device.Name}
	shared := at.device.AllowMultipleAllocations != nil && *at.device.AllowMultipleAllocations
	if m.Chance(4) {
		result.Device = "gone"
	}
	if shared != m.Chance(5) {
		m.names++
		result.ShareID = pointer(types.UID(fmt.Sprintf("share-%d", m.names)))
		for name := range ordered(at.device.Capacity) {
			if result.ConsumedCapacity == nil {
				result.ConsumedCapacity = map[resourceapi.QualifiedName]resource.Quantity{}
			}
			if m.Chance(95) {
				result.ConsumedCapacity[name] = m.few(4)
			}
		}
	}
	if m.admin && m.Chance(30) || m.Chance(2) {
		result.AdminAccess = pointer(m.Chance(85))
	}
	return result
}

// pending are the claims that want devices.
func (m *maker) pending() []any {
	objects := []any{}
	for i := range 1 + m.weigh([]int{80, 20}, 66, 28, 6) {
		claim := &resourceapi.ResourceClaim{TypeMeta: meta("ResourceClaim")}
		claim.Namespace, claim.Name = dice.Pick(m, "default", "default", "default", ""), fmt.Sprintf("claim-%d", i)
		for r := range m.several() {
			if m.Chance(1) {
				r = 0
			}
			claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, m.request(fmt.Sprintf("r%d", r)))
		}
		names := requestNames(claim)
		if m.lists || m.derived || m.Chance(20) || m.crowded && m.Chance(50) {
			for range 1 + m.some(75, 25) {
				claim.Spec.Devices.Constraints = append(claim.Spec.Devices.Constraints, m.constraint(names, claim))
			}
		}
		for range m.some(80, 15, 5) {
			claim.Spec.Devices.Config = append(claim.Spec.Devices.Config,
				resourceapi.DeviceClaimConfiguration{Requests: m.subset(names), DeviceConfiguration: m.config()})
		}
		objects = append(objects, claim)
	}
	return objects
}

// several is how many requests a claim has.
func (m *maker) several() int {
	if m.crowded {
		return 1 + m.some(5, 30, 40, 20, 5)
	}
	return 1 + m.weigh([]int{75, 25}, 62, 29, 9)
}

// requestNames are all names by which a claim's requests may be called.
func requestNames(claim *resourceapi.ResourceClaim) []string {
	names := []string{}
	for _, request := range claim.Spec.Devices.Requests {
		names = append(names, request.Name)
		for _, alternative := range request.FirstAvailable {
			names = append(names, request.Name+"/"+alternative.Name)
		}
	}
	return names
}

func (m *maker) subset(names []string) []string {
	if m.Chance(35) {
		return nil
	}
	chosen := []string{}
	for _, name := range names {
		if m.Chance(60) {
			chosen = append(chosen, name)
		}
	}
	if m.Chance(3) {
		chosen = append(chosen, "none")
	}
	return chosen
}

func (m *maker) constraint(names []string, claim *resourceapi.ResourceClaim) resourceapi.DeviceConstraint {
	constraint := resourceapi.DeviceConstraint{Requests: m.subset(names)}
	name := m.attributeName()
	if m.derived && m.Chance(80) {
		name = derivedName(claim, name)
	}
	switch {
	case m.Chance(70):
		constraint.MatchAttribute = &name
	case m.IntN(100) > 0:
		constraint.DistinctAttribute = &name
	}
	if m.Chance(1) {
		constraint.DistinctAttribute = pointer(m.attributeName())
	}
	return constraint
}

// derivedName is a derived attribute of the claim, if it has any.
func derivedName(claim *resourceapi.ResourceClaim, otherwise resourceapi.FullyQualifiedName) resourceapi.FullyQualifiedName {
	for _, request := range claim.Spec.Devices.Requests {
		if request.Exactly != nil && len(request.Exactly.DerivedAttributes) > 0 {
			return request.Exactly.DerivedAttributes[0].Name
		}
		for _, alternative := range request.FirstAvailable {
			if len(alternative.DerivedAttributes) > 0 {
				return alternative.DerivedAttributes[0].Name
			}
		}
	}
	return otherwise
}

func (m *maker) request(name string) resourceapi.DeviceRequest {
	request := resourceapi.DeviceRequest{Name: name}
	if m.prioritized && m.Chance(65) || m.limit && m.Chance(50) || m.Chance(3) {
		for i := range 1 + m.some(20, 60, 20) {
			alternative := resourceapi.DeviceSubRequest(m.alternative())
			alternative.Name = fmt.Sprintf("s%d", i)
			request.FirstAvailable = append(request.FirstAvailable, alternative)
		}
		if !m.Chance(1) {
			return request
		}
	}
	wanted := m.alternative()
	request.Exactly = &resourceapi.ExactDeviceRequest{DeviceClassName: wanted.DeviceClassName, Selectors: wanted.Selectors,
		AllocationMode: wanted.AllocationMode, Count: wanted.Count, Tolerations: wanted.Tolerations, Capacity: wanted.Capacity,
		DerivedAttributes: wanted.DerivedAttributes}
	if m.admin && m.Chance(50) || m.IntN(200) == 0 {
		request.Exactly.AdminAccess = pointer(m.Chance(85))
	}
	return request
}

func (m *maker) alternative() resourceapi.DeviceSubRequest {
	wanted := resourceapi.DeviceSubRequest{DeviceClassName: m.class()}
	wanted.AllocationMode, wanted.Count = m.mode()
	if m.Chance(35) {
		wanted.Selectors = m.selectors(2)
	}
	if m.taints && m.Chance(80) || m.Chance(2) {
		for range 1 + m.some(80, 20) {
			wanted.Tolerations = append(wanted.Tolerations, m.toleration())
		}
	}
	if m.consumable && m.Chance(65) || m.IntN(200) == 0 {
		wanted.Capacity = m.capacityRequest()
	}
	if m.derived && m.Chance(80) || m.IntN(300) == 0 {
		wanted.DerivedAttributes = m.derivedAttributes()
	}
	return wanted
}

func (m *maker) mode() (resourceapi.DeviceAllocationMode, int64) {
	if m.limit && m.Chance(60) {
		return resourceapi.DeviceAllocationModeExactCount, dice.Pick[int64](m, 1, 2, 10, 16, 17, 20, 31, 32, 33)
	}
	switch m.some(920, 72, 5, 2) {
	case 1:
		return resourceapi.DeviceAllocationModeAll, 0
	case 2:
		return resourceapi.DeviceAllocationModeExactCount, dice.Pick[int64](m, 0, 0, 16, 32, 33, math.MaxInt64, -1)
	case 3:
		return dice.Pick[resourceapi.DeviceAllocationMode](m, "", "Odd"), 1
	}
	if m.crowded {
		return resourceapi.DeviceAllocationModeExactCount, int64(1 + m.some(45, 35, 15, 5))
	}
	return resourceapi.DeviceAllocationModeExactCount, int64(1 + m.some(78, 16, 5, 1))
}

func (m *maker) toleration() resourceapi.DeviceToleration {
	toleration := resourceapi.DeviceToleration{Key: dice.Pick(m, "example.com/bad", "example.com/bad", "hot", ""),
		Operator: dice.Pick[resourceapi.DeviceTolerationOperator](m, "Exists", "Exists", "Exists", "Equal", "", "Odd"),
		Effect:   dice.Pick[resourceapi.DeviceTaintEffect](m, "", "", "NoSchedule", "NoExecute")}
	if toleration.Operator != "Exists" || m.Chance(3) {
		toleration.Value = dice.Pick(m, "", "1", "2")
	}
	if m.Chance(10) {
		toleration.TolerationSeconds = pointer(int64(m.IntN(100)))
	}
	return toleration
}

var derivations = []string{`device.driver`, `device.attributes["DRIVER"].?model.orValue("a")`, `device.attributes["DRIVER"].?numa.orValue(0)`,
	`"x"`, `1`, `true`, `device.attributes["example.com"].?root.orValue("a")`, `device.attributes["DRIVER"].?version.orValue(semver("1.0.0"))`,
	`device.attributes["DRIVER"].?ecc.orValue(false)`}

var oddDerivations = []string{`["a", "b"]`, `[1]`, `[]`, `device.attributes["DRIVER"].none`, `1.5`, `device.`, `device.attributes["DRIVER"].model`}

func (m *maker) derivedAttributes() []resourceapi.DeviceDerivedAttribute {
	derived := []resourceapi.DeviceDerivedAttribute{}
	for range 1 + m.some(80, 20) {
		text := dice.Pick(m, derivations...)
		if m.Chance(3) || m.lists && m.Chance(10) {
			text = dice.Pick(m, oddDerivations...)
		}
		derived = append(derived, resourceapi.DeviceDerivedAttribute{Expression: m.about(text),
			Name: dice.Pick[resourceapi.FullyQualifiedName](m, "example.com/derived", "example.com/derived", "example.com/derived", "example.com/root")})
	}
	return derived
}
