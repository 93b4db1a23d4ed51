package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// longest is how long upstream may search; what takes longer is cut and reported as that.
const longest = 10 * time.Second

var allocationRows = []struct {
	name string
	make func() *cluster
	long bool // takes upstream a second or more: measured once
}{
	{"1 of 8 devices", func() *cluster { return countOf(1, 8) }, false},
	{"9 of 8 devices", func() *cluster { return countOf(9, 8) }, false},
	{"21 of 20 devices", func() *cluster { return countOf(21, 20) }, true},
	{"32 of 31 devices", func() *cluster { return countOf(32, 31) }, true},
	{"9 requests, 8 devices", func() *cluster { return oneNode(plainDevices(8), claim(0, requests(9))) }, true},
	{"11 requests, 10 devices", func() *cluster { return oneNode(plainDevices(10), claim(0, requests(11))) }, true},
	{"7 claims, 6 devices", func() *cluster { return claimsOfOne(7, 6) }, false},
	{"10 claims, 9 devices", func() *cluster { return claimsOfOne(10, 9) }, true},
	{"4 and 4 of 16, then nothing", func() *cluster { return twiceThenNothing(4) }, true},
	{"6 and 6 of 16, then nothing", func() *cluster { return twiceThenNothing(6) }, true},
	{"9 of a group, groups of 8", nineOfGroupsOfEight, true},
	{"4 pairs, 4 NICs free", func() *cluster { return pairs(4) }, false},
	{"5 pairs, 4 NICs free", func() *cluster { return pairs(5) }, false},
	{"7 of 8 partitions", sevenOfEightPartitions, false},
	{"32 requests, lists of 47", listsOfValues, false},
	{"one pod, 500 nodes", func() *cluster { return onePod(500) }, false},
	{"one pod, 5,000 nodes", func() *cluster { return onePod(5000) }, false},
	{"partitions, 100 nodes", func() *cluster { return partitions(100) }, false},
	{"shares, 500 nodes", func() *cluster { return shares(500) }, false},
}

// gpuClass takes every device of the driver.
type gpuClass struct{ class *resourcev1.DeviceClass }

func (g gpuClass) List() ([]*resourcev1.DeviceClass, error) {
	return []*resourcev1.DeviceClass{g.class}, nil
}

func (g gpuClass) Get(name string) (*resourcev1.DeviceClass, error) {
	if name != g.class.Name {
		return nil, fmt.Errorf("class %s: not found", name)
	}
	return g.class, nil
}

var theClass = gpuClass{&resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu"}, Spec: resourcev1.DeviceClassSpec{
	Selectors: []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: `device.driver == "gpu.example.com"`}}}}}}

// ask runs upstream's allocator on every node, as its scheduler does for a pod, and sums what it picked.
func (c *cluster) ask(ctx context.Context, expressions *dracel.Cache) (int, error) {
	allocator, err := structured.NewAllocator(ctx, c.features, c.state, theClass, c.slices, expressions)
	if err != nil {
		return 0, err
	}
	sum := 0
	for _, node := range c.nodes {
		results, err := allocator.Allocate(ctx, node, c.pending)
		if err != nil {
			return 0, err
		}
		if results != nil {
			sum += 1000 + picked(results)
		}
	}
	return sum, nil
}

func picked(results []resourcev1.AllocationResult) int {
	sum := 0
	for i := range results {
		for j := range results[i].Devices.Results {
			name := results[i].Devices.Results[j].Device
			sum += must(strconv.Atoi(strings.TrimPrefix(name, "device-"))) + 1
		}
	}
	return sum
}

// measureAllocations leaves out the rows that take long if it is to be brief.
func measureAllocations(brief bool) {
	structured.EnableAllocators("incubating", "experimental")
	for _, row := range allocationRows {
		name := "allocate: " + row.name
		switch {
		case !row.long:
			measureAllocation(name, row.make())
		case !brief:
			measureLong(name, row.make())
		}
	}
}

func (c *cluster) expressions() *dracel.Cache {
	return dracel.NewCache(100, dracel.Features{EnableConsumableCapacity: c.features.ConsumableCapacity,
		EnableListTypeAttributes: c.features.ListTypeAttributes})
}

func measureAllocation(name string, c *cluster) {
	expressions := c.expressions()
	measure(name, 1, func() int { return must(c.ask(context.Background(), expressions)) })
}

// measureLong asks once, and says if it was cut.
func measureLong(name string, c *cluster) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	start := cpuTime()
	sum, err := c.ask(ctx, c.expressions())
	used := cpuTime() - start
	cut := errors.Is(err, context.DeadlineExceeded)
	if cut {
		used, err = longest, nil
	}
	must(0, err)
	fmt.Println(string(must(json.Marshal(row{name, float64(used.Nanoseconds()), sum, cut}))))
}
