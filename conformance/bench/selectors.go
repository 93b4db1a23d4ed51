package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// sampledDevices of the world are evaluated by upstream.
const sampledDevices = 2000

func splitmix64(i uint64) uint64 {
	h := i + 0x9E3779B97F4A7C15
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return h ^ h>>31
}

func text(format string, values ...any) resourcev1.DeviceAttribute {
	value := fmt.Sprintf(format, values...)
	return resourcev1.DeviceAttribute{StringValue: &value}
}

func version(format string, values ...any) resourcev1.DeviceAttribute {
	return resourcev1.DeviceAttribute{VersionValue: text(format, values...).StringValue}
}

func number(value uint64) resourcev1.DeviceAttribute {
	converted := int64(value)
	return resourcev1.DeviceAttribute{IntValue: &converted}
}

func truth(value bool) resourcev1.DeviceAttribute {
	return resourcev1.DeviceAttribute{BoolValue: &value}
}

func amount(format string, value uint64) resourcev1.DeviceCapacity {
	return resourcev1.DeviceCapacity{Value: resource.MustParse(fmt.Sprintf(format, value))}
}

// worldDevice is device i as bench/data/world.md says.
func worldDevice(i uint64) dracel.Device {
	h := splitmix64(i)
	c := h % 200
	const domain = "dra.example.com/"
	device := dracel.Device{
		Driver: fmt.Sprintf("driver-%d.example.com", c%3),
		Attributes: map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{
			"uuid":                       text("%016x", h),
			domain + "model":             text("model-%d", c%8),
			domain + "driverVersion":     version("%d.%d.%d", 500+5*(c%10), c%7, c%3),
			domain + "productName":       text("Product %d", c%8),
			domain + "architecture":      text("arch-%d", c%4),
			domain + "brand":             text("brand-%d", c%2),
			domain + "computeCapability": version("%d.%d.0", 7+c%3, c%5),
			domain + "index":             number(c % 16),
			domain + "numa":              number(c % 4),
			domain + "minor":             number(c % 9),
			domain + "healthy":           truth(c%10 != 0),
			domain + "mig":               truth(c%2 == 0),
			domain + "pcieRoot":          text("pci0000:%d", c),
		},
		Capacity: map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{
			domain + "memory": amount("%dGi", 16*(c%5+1)),
			domain + "cores":  amount("%d", c%100+8),
		},
	}
	if (h>>32)%5 == 0 {
		delete(device.Attributes, domain+"model")
		delete(device.Attributes, domain+"driverVersion")
		delete(device.Capacity, domain+"memory")
	}
	return device
}

// measureSelectors prints each figure twice: ours evaluates by columns and one device at a time.
func measureSelectors(folder string) {
	devices := make([]dracel.Device, sampledDevices)
	for i := range devices {
		devices[i] = worldDevice(uint64(i))
	}
	compiler := dracel.GetCompiler(dracel.Features{EnableConsumableCapacity: true})
	expressions := map[string]string{}
	for line := range strings.Lines(string(must(os.ReadFile(filepath.Join(folder, "selectors.txt"))))) {
		name, expression, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		expressions[name] = expression
		compiled := compiler.CompileCELExpression(expression, dracel.Options{DisableCostEstimation: true})
		if compiled.Error != nil {
			panic(compiled.Error)
		}
		measureAs([]string{"columns: " + name, "VM: " + name}, len(devices), func() int { return matches(compiled, devices) })
	}
	for name, of := range map[string]string{"compile, one term": "string attribute", "compile, four terms": "conjunction of four"} {
		measure(name, 1, func() int {
			if compiled := compiler.CompileCELExpression(expressions[of], dracel.Options{DisableCostEstimation: true}); compiled.Error != nil {
				panic(compiled.Error)
			}
			return len(expressions[of])
		})
	}
}

func matches(compiled dracel.CompilationResult, devices []dracel.Device) int {
	sum := 0
	for _, device := range devices {
		matches, _, err := compiled.DeviceMatches(context.Background(), device)
		if err != nil {
			sum++
		} else if matches {
			sum += 10000
		}
	}
	return sum
}
