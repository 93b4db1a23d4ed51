// Command bench measures upstream's codecs, quantities, selectors and allocator on the data of bench/data, for bench/run.
//
//	bench DATA-FOLDER [brief]
//
// brief leaves out what takes seconds.
//
// One JSON line a row: {"name":"strict JSON decode","ns":538000,"read":48212}. `read` sums what was read from the decoded
// struct, so that bench/run can tell that both halves did the same work.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

type row struct {
	Name string  `json:"name"`
	Ns   float64 `json:"ns"`
	Read int     `json:"read"`
	Cut  bool    `json:"cut,omitempty"` // stopped after so long; nothing was read
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

// cpuTime is what this process has used so far, its garbage collector included.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	must(0, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// measure times `work` per item; one call of work handles `items` of them. It counts CPU time, as our half does, so that a
// busy machine disturbs the figures little.
func measure(name string, items int, work func() int) { measureAs([]string{name}, items, work) }

// measureAs prints one figure under several names.
func measureAs(names []string, items int, work func() int) {
	const least = 500 * time.Millisecond
	read, calls, used := work(), 1, time.Duration(0)
	for ; used < least; calls *= 2 {
		start := cpuTime()
		for range calls {
			work()
		}
		used = cpuTime() - start
	}
	for _, name := range names {
		line := must(json.Marshal(row{name, float64(used.Nanoseconds()) / float64(calls/2*items), read, false}))
		fmt.Println(string(line))
	}
}

func flag(value bool) int {
	if value {
		return 1
	}
	return 0
}

// readAttribute reads every field of an attribute.
func readAttribute(attribute resourcev1.DeviceAttribute) int {
	sum := 0
	if attribute.IntValue != nil {
		sum += int(*attribute.IntValue)
	}
	if attribute.BoolValue != nil {
		sum += flag(*attribute.BoolValue)
	}
	if attribute.StringValue != nil {
		sum += len(*attribute.StringValue)
	}
	if attribute.VersionValue != nil {
		sum += len(*attribute.VersionValue)
	}
	return sum
}

func readDevice(device *resourcev1.Device) int {
	sum := len(device.Name)
	for name, attribute := range device.Attributes {
		sum += len(name) + readAttribute(attribute)
	}
	for name, capacity := range device.Capacity {
		sum += len(name) + int(capacity.Value.Value()%1000)
	}
	for _, taint := range device.Taints {
		sum += len(taint.Key) + len(taint.Value) + len(taint.Effect) + int(taint.TimeAdded.Unix()%1000)
	}
	return sum
}

// readSlice reads every field that the file gives, and returns a sum of what it saw.
func readSlice(slice *resourcev1.ResourceSlice) int {
	meta, spec := &slice.ObjectMeta, &slice.Spec
	sum := len(slice.Kind) + len(slice.APIVersion) + len(meta.Name) + len(meta.GenerateName) + len(meta.UID) +
		len(meta.ResourceVersion) + int(meta.Generation) + int(meta.CreationTimestamp.Unix()%1000)
	for key, value := range meta.Labels {
		sum += len(key) + len(value)
	}
	for _, owner := range meta.OwnerReferences {
		sum += len(owner.APIVersion) + len(owner.Kind) + len(owner.Name) + len(owner.UID) + flag(*owner.Controller)
	}
	sum += len(spec.Driver) + len(spec.Pool.Name) + int(spec.Pool.Generation) + int(spec.Pool.ResourceSliceCount) +
		len(*spec.NodeName)
	for i := range spec.Devices {
		sum += readDevice(&spec.Devices[i])
	}
	return sum
}

func decodeInto(codec runtime.Serializer, data []byte, slice *resourcev1.ResourceSlice) {
	_, _, err := codec.Decode(data, nil, slice)
	must(0, err)
}

func measureCodec(decode, encode string, codec runtime.Serializer, data []byte) {
	slice := &resourcev1.ResourceSlice{}
	measure(decode, 1, func() int {
		slice = &resourcev1.ResourceSlice{}
		decodeInto(codec, data, slice)
		return readSlice(slice)
	})
	var out bytes.Buffer
	measure(encode, 1, func() int {
		out.Reset()
		must(0, codec.Encode(slice, &out))
		return out.Len()
	})
}

func measureQuantities(texts []string) {
	measure("quantity parse", len(texts), func() int {
		sum := 0
		for _, text := range texts {
			quantity := must(resource.ParseQuantity(text))
			sum += int(quantity.Value() % 1000)
		}
		return sum
	})
	measureCompare("quantity compare, one unit", texts, func(text string) bool { return strings.HasSuffix(text, "i") && !strings.Contains(text, ".") })
	measureCompare("quantity compare, mixed units", texts, func(string) bool { return true })
}

// measureCompare compares every pair of the chosen quantities.
func measureCompare(name string, texts []string, chosen func(string) bool) {
	var quantities []resource.Quantity
	for _, text := range texts {
		if chosen(text) {
			quantities = append(quantities, resource.MustParse(text))
		}
	}
	measure(name, len(quantities)*len(quantities), func() int {
		sum := 0
		for i := range quantities {
			for j := range quantities {
				sum += (quantities[i].Cmp(quantities[j]) + 1) * j
			}
		}
		return sum
	})
}

func main() {
	folder := os.Args[1]
	scheme := runtime.NewScheme()
	must(0, resourcev1.AddToScheme(scheme))
	text := must(os.ReadFile(filepath.Join(folder, "resourceslice.json")))
	asJSON := jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme, scheme,
		jsonserializer.SerializerOptions{Strict: true})
	measureCodec("strict JSON decode", "JSON encode", asJSON, text)

	slice := &resourcev1.ResourceSlice{}
	decodeInto(asJSON, text, slice)
	asProtobuf := protobuf.NewSerializer(scheme, scheme)
	var encoded bytes.Buffer
	must(0, asProtobuf.Encode(slice, &encoded))
	measureCodec("protobuf decode", "protobuf encode", asProtobuf, encoded.Bytes())

	measureAllocations(len(os.Args) > 2 && os.Args[2] == "brief")
	measureSelectors(folder)
	measureQuantities(strings.Fields(string(must(os.ReadFile(filepath.Join(folder, "quantities.txt"))))))
}
