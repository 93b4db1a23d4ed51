package generate

import (
	"maps"
	"slices"
)

// SortedKeys gives random choices over a map a stable order.
func SortedKeys(object Object) []string { return slices.Sorted(maps.Keys(object)) }

// Clone copies a JSON value deeply.
func Clone(value any) any {
	switch value := value.(type) {
	case Object:
		object := make(Object, len(value))
		for name, member := range value {
			object[name] = Clone(member)
		}
		return object
	case List:
		list := make(List, len(value))
		for i, element := range value {
			list[i] = Clone(element)
		}
		return list
	}
	return value
}

// InVersion rewrites an object in the shape of v1 to another version of its kind. It is the plain reverse of what upstream's
// conversion reads, and leaves alone what does not have the expected shape.
func InVersion(object Object, version string) Object {
	object = Clone(object).(Object)
	object["apiVersion"] = "resource.k8s.io/" + version
	if version != "v1beta1" {
		return object
	}
	spec, _ := object["spec"].(Object)
	switch object["kind"] {
	case "ResourceSlice":
		eachObject(spec["devices"], nestBasic)
	case "ResourceClaim":
		flattenRequests(spec)
	case "ResourceClaimTemplate":
		inner, _ := spec["spec"].(Object)
		flattenRequests(inner)
	}
	return object
}

func eachObject(list any, change func(Object)) {
	elements, _ := list.(List)
	for _, element := range elements {
		if object, ok := element.(Object); ok {
			change(object)
		}
	}
}

// nestBasic moves all of a device but its name below `basic`.
func nestBasic(device Object) {
	basic := Object{}
	for name, value := range device {
		if name != "name" {
			basic[name] = value
			delete(device, name)
		}
	}
	device["basic"] = basic
}

// flattenRequests puts the fields of `exactly` beside the name of a request.
func flattenRequests(spec Object) {
	devices, _ := spec["devices"].(Object)
	eachObject(devices["requests"], func(request Object) {
		exactly, ok := request["exactly"].(Object)
		if !ok {
			return
		}
		delete(request, "exactly")
		maps.Copy(request, exactly)
	})
}
