package main

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/structured"
)

const gpuDriver = "gpu.example.com"

// cluster is what bench/data/world.md describes: what is published, what is in use, and the claims of a pod that waits.
type cluster struct {
	nodes    []*v1.Node
	slices   []*resourcev1.ResourceSlice
	state    structured.AllocatedState
	pending  []*resourcev1.ResourceClaim
	features structured.Features
}

func newCluster(pending ...*resourcev1.ResourceClaim) *cluster {
	return &cluster{
		state: structured.AllocatedState{
			AllocatedDevices:         sets.New[structured.DeviceID](),
			AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
			AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
		},
		pending: pending,
		features: structured.Features{AdminAccess: true, PrioritizedList: true, PartitionableDevices: true, DeviceTaints: true,
			DeviceBindingAndStatus: true, ConsumableCapacity: true},
	}
}

func nodeName(n int) string   { return fmt.Sprintf("node-%d", n) }
func deviceName(j int) string { return fmt.Sprintf("device-%d", j) }

func (c *cluster) addNode(n int) {
	name := nodeName(n)
	c.nodes = append(c.nodes, &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
		"kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": fmt.Sprintf("zone-%d", n%3)}}})
}

func (c *cluster) addSlice(n int, name string, slicesOfPool int64, devices []resourcev1.Device) *resourcev1.ResourceSlice {
	node := nodeName(n)
	slice := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: node + name}, Spec: resourcev1.ResourceSliceSpec{
		Driver: gpuDriver, NodeName: &node, Pool: resourcev1.ResourcePool{Name: node, Generation: 1, ResourceSliceCount: slicesOfPool},
		Devices: devices}}
	c.slices = append(c.slices, slice)
	return slice
}

func (c *cluster) hold(n, device int) {
	c.state.AllocatedDevices.Insert(structured.MakeDeviceID(gpuDriver, nodeName(n), deviceName(device)))
}

func (c *cluster) holdShare(n, device, number int, consumed map[resourcev1.QualifiedName]resource.Quantity) {
	id := structured.MakeDeviceID(gpuDriver, nodeName(n), deviceName(device))
	share := types.UID(fmt.Sprintf("%d-%d-%d", n, device, number))
	c.state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, &share))
	c.state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, consumed))
}

func oneNode(devices []resourcev1.Device, pending ...*resourcev1.ResourceClaim) *cluster {
	c := newCluster(pending...)
	c.addNode(0)
	c.addSlice(0, "", 1, devices)
	return c
}

func plainDevices(count int) []resourcev1.Device {
	devices := make([]resourcev1.Device, count)
	for j := range devices {
		devices[j].Name = deviceName(j)
		devices[j].Attributes = map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{}
	}
	return devices
}

func request(number int, count int64, selector string) resourcev1.DeviceRequest {
	exactly := &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: count}
	if selector != "" {
		exactly.Selectors = []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: selector}}}
	}
	return resourcev1.DeviceRequest{Name: fmt.Sprintf("request-%d", number), Exactly: exactly}
}

func requests(count int) []resourcev1.DeviceRequest {
	var list []resourcev1.DeviceRequest
	for i := range count {
		list = append(list, request(i, 1, ""))
	}
	return list
}

func claim(number int, requests []resourcev1.DeviceRequest, constraints ...resourcev1.DeviceConstraint) *resourcev1.ResourceClaim {
	return &resourcev1.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("claim-%d", number), UID: types.UID(fmt.Sprintf("claim-%d", number))},
		Spec:       resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: requests, Constraints: constraints}}}
}

func match(attribute resourcev1.FullyQualifiedName, requests ...string) resourcev1.DeviceConstraint {
	return resourcev1.DeviceConstraint{MatchAttribute: &attribute, Requests: requests}
}

func isInUse(i int) bool { return splitmix64(uint64(i))>>40%10 < 3 }

// --- One node.

func countOf(count int64, devices int) *cluster {
	return oneNode(plainDevices(devices), claim(0, []resourcev1.DeviceRequest{request(0, count, "")}))
}

func claimsOfOne(count, devices int) *cluster {
	c := oneNode(plainDevices(devices))
	for i := range count {
		c.pending = append(c.pending, claim(i, requests(1)))
	}
	return c
}

func twiceThenNothing(count int64) *cluster {
	return oneNode(plainDevices(16), claim(0, []resourcev1.DeviceRequest{
		request(0, count, ""), request(1, count, ""), request(2, 1, `device.driver == "other"`)}))
}

func nineOfGroupsOfEight() *cluster {
	devices := plainDevices(16)
	for j := range devices {
		devices[j].Attributes["group"] = number(uint64(j / 8))
	}
	return oneNode(devices, claim(0, requests(9), match("gpu.example.com/group")))
}

func pairs(count int) *cluster {
	devices := plainDevices(16)
	kinds := []string{"gpu", "nic"}
	for j := range devices {
		devices[j].Attributes["kind"] = text("%s", kinds[j/8])
		devices[j].Attributes["root"] = number(uint64(j % 8))
	}
	var wanted []resourcev1.DeviceRequest
	var constraints []resourcev1.DeviceConstraint
	for i := range count {
		for k, kind := range kinds {
			wanted = append(wanted, request(2*i+k, 1, fmt.Sprintf(`device.attributes["gpu.example.com"].kind == "%s"`, kind)))
		}
		constraints = append(constraints, match("gpu.example.com/root", fmt.Sprintf("request-%d", 2*i), fmt.Sprintf("request-%d", 2*i+1)))
	}
	c := oneNode(devices, claim(0, wanted, constraints...))
	for nic := 8; nic < 12; nic++ {
		c.hold(0, nic)
	}
	return c
}

func listsOfValues() *cluster {
	devices := plainDevices(64)
	for j := range devices {
		var values []string
		if j >= 32 {
			values = append(values, "shared")
		}
		for v := range 46 {
			values = append(values, fmt.Sprintf("%d-%d", j, v))
		}
		devices[j].Attributes["match"] = resourcev1.DeviceAttribute{StringValues: values}
	}
	c := oneNode(devices, claim(0, requests(32), match("gpu.example.com/match")))
	c.features.ListTypeAttributes = true
	return c
}

// --- Many nodes.

func onePod(nodes int) *cluster {
	c := newCluster(claim(0, []resourcev1.DeviceRequest{request(0, 1, `device.attributes["dra.example.com"].mig == true`)}))
	for n := range nodes {
		c.addNode(n)
		devices := plainDevices(8)
		for j := range devices {
			made := worldDevice(uint64(8*n + j))
			devices[j].Attributes, devices[j].Capacity = made.Attributes, made.Capacity
			if isInUse(8*n + j) {
				c.hold(n, j)
			}
		}
		c.addSlice(n, "", 1, devices)
	}
	return c
}

// --- Partitions.

type partition struct {
	profile     string
	compute     int64
	memory      int
	firstPlaces []int
}

var partitionKinds = []partition{
	{"1g", 1, 1, []int{0, 1, 2, 3, 4, 5, 6}}, {"1g2", 1, 2, []int{0, 2, 4, 6}}, {"2g", 2, 2, []int{0, 2, 4}},
	{"3g", 3, 4, []int{0, 4}}, {"4g", 4, 4, []int{0}}, {"7g", 7, 8, []int{0}},
}

const (
	gpusOfNode      = 8
	partitionsOfGPU = 18
	memoryPlaces    = 8
)

func units(amount int64) resourcev1.Counter {
	return resourcev1.Counter{Value: *resource.NewQuantity(amount, resource.DecimalSI)}
}

func memoryOf(place int) string { return fmt.Sprintf("memory-%d", place) }

func partitionsOf(gpu int) []resourcev1.Device {
	var devices []resourcev1.Device
	for _, kind := range partitionKinds {
		for _, first := range kind.firstPlaces {
			counters := map[string]resourcev1.Counter{"compute": units(kind.compute)}
			for place := first; place < first+kind.memory; place++ {
				counters[memoryOf(place)] = units(1)
			}
			devices = append(devices, resourcev1.Device{
				Name:             deviceName(partitionsOfGPU*gpu + len(devices)),
				Attributes:       map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{"profile": text("%s", kind.profile)},
				ConsumesCounters: []resourcev1.DeviceCounterConsumption{{CounterSet: fmt.Sprintf("gpu-%d", gpu), Counters: counters}},
			})
		}
	}
	return devices
}

func partitions(nodes int) *cluster {
	profile := func(name string) string {
		return fmt.Sprintf(`device.attributes["gpu.example.com"].profile == "%s"`, name)
	}
	c := newCluster(claim(0, []resourcev1.DeviceRequest{request(0, 2, profile("3g")), request(1, 1, profile("2g"))}))
	for n := range nodes {
		c.addNode(n)
		sums := c.addSlice(n, "-8", gpusOfNode+1, nil)
		for gpu := range gpusOfNode {
			counters := map[string]resourcev1.Counter{"compute": units(7)}
			for place := range memoryPlaces {
				counters[memoryOf(place)] = units(1)
			}
			sums.Spec.SharedCounters = append(sums.Spec.SharedCounters, resourcev1.CounterSet{Name: fmt.Sprintf("gpu-%d", gpu), Counters: counters})
			c.addSlice(n, fmt.Sprintf("-%d", gpu), gpusOfNode+1, partitionsOf(gpu))
			for place := range partitionKinds[0].firstPlaces {
				if isInUse((n*gpusOfNode+gpu)*memoryPlaces + place) {
					c.hold(n, partitionsOfGPU*gpu+place)
				}
			}
		}
	}
	return c
}

func sevenOfEightPartitions() *cluster {
	devices := plainDevices(8)
	sums := map[string]resourcev1.Counter{"memory": units(70)}
	for j := range devices {
		cpu, memory := fmt.Sprintf("cpu-%d", j), int64(10)
		if j == 0 {
			memory = 20
		}
		sums[cpu] = units(1)
		devices[j].ConsumesCounters = []resourcev1.DeviceCounterConsumption{{CounterSet: "board",
			Counters: map[string]resourcev1.Counter{cpu: units(1), "memory": units(memory)}}}
	}
	c := newCluster(claim(0, []resourcev1.DeviceRequest{request(0, 7, "")}))
	c.addNode(0)
	c.addSlice(0, "-counters", 2, nil).Spec.SharedCounters = []resourcev1.CounterSet{{Name: "board", Counters: sums}}
	c.addSlice(0, "", 2, devices)
	return c
}

// --- Shares.

func shareableDevice(j int) resourcev1.Device {
	yes, least, step := true, resource.MustParse("1M"), resource.MustParse("8")
	return resourcev1.Device{
		Name:                     deviceName(j),
		AllowMultipleAllocations: &yes,
		Attributes:               map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{"index": number(uint64(j))},
		Capacity: map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{"bandwidth": {
			Value: resource.MustParse("10G"),
			RequestPolicy: &resourcev1.CapacityRequestPolicy{Default: &least,
				ValidRange: &resourcev1.CapacityRequestPolicyRange{Min: &least, Step: &step}},
		}},
	}
}

func shares(nodes int) *cluster {
	amount := map[resourcev1.QualifiedName]resource.Quantity{"bandwidth": resource.MustParse("2500M")}
	wanted := request(0, 2, "")
	wanted.Exactly.Capacity = &resourcev1.CapacityRequirements{Requests: amount}
	index := resourcev1.FullyQualifiedName("gpu.example.com/index")
	c := newCluster(claim(0, []resourcev1.DeviceRequest{wanted}, resourcev1.DeviceConstraint{DistinctAttribute: &index}))
	for n := range nodes {
		c.addNode(n)
		var devices []resourcev1.Device
		for j := range 4 {
			devices = append(devices, shareableDevice(j))
			for s := range int(splitmix64(uint64(4*n+j)) % 5) {
				c.holdShare(n, j, s, amount)
			}
		}
		c.addSlice(n, "", 1, devices)
	}
	return c
}
