package main

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// structure is a Go struct as schema.h's Struct sees it.
type structure struct {
	goType  reflect.Type
	openAPI string
	atomic  bool // server-side apply replaces it as a whole
	fields  []field
}

// shape is a Go type as schema.h's Type sees it.
type shape struct {
	kind       string // a TypeKind, without its k
	element    *shape
	structure  *structure
	protoItems bool
}

type field struct {
	goType                  reflect.Type
	json, goName            string
	embedded                string // Go name of the embedded struct that JSON flattens
	shape                   shape
	proto, protoInside      int
	pointer                 bool
	omitEmpty, omitZero     bool
	patchStrategy, patchKey string
	openAPI                 openAPIField
	overlay                 fieldOverlay
}

// specialTypes have their own JSON and protobuf forms.
var specialTypes = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():                            "Quantity",
	reflect.TypeFor[metav1.Time]():                                  "Time",
	reflect.TypeFor[metav1.MicroTime]():                             "MicroTime",
	reflect.TypeFor[intstr.IntOrString]():                           "IntOrString",
	reflect.TypeFor[runtime.RawExtension]():                         "RawExtension",
	reflect.TypeFor[metav1.FieldsV1]():                              "FieldsV1",
	reflect.TypeFor[apiextensionsv1.JSON]():                         "Json",
	reflect.TypeFor[any]():                                          "Json",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():       "SchemaOrArray",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():        "SchemaOrBool",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray](): "SchemaOrStrings",
	reflect.TypeFor[[]byte]():                                       "Bytes",
}

var scalarKinds = map[reflect.Kind]string{
	reflect.String: "String", reflect.Bool: "Bool", reflect.Int32: "Int32", reflect.Int64: "Int64", reflect.Float64: "Double",
}

// reader turns Go types into structures, each once.
type reader struct {
	seen map[reflect.Type]*structure
}

func (r *reader) structure(goType reflect.Type) *structure {
	if known := r.seen[goType]; known != nil {
		return known
	}
	s := &structure{goType: goType, openAPI: openAPIName(goType)}
	r.seen[goType] = s
	s.fields = r.fields(goType)
	return s
}

// protoOrder lists the indices of the fields that protobuf knows, as it writes them: by number, embedded ones together.
func (s *structure) protoOrder() []int {
	var order []int
	for i, f := range s.fields {
		if f.proto != 0 {
			order = append(order, i)
		}
	}
	key := func(i int) (int, int) {
		if f := s.fields[i]; f.protoInside != 0 {
			return f.protoInside, f.proto
		}
		return s.fields[i].proto, 0
	}
	sort.SliceStable(order, func(i, j int) bool {
		outer, inner := key(order[i])
		outer2, inner2 := key(order[j])
		return outer < outer2 || outer == outer2 && inner < inner2
	})
	return order
}

// sorted returns all structures seen, by package and name.
func (r *reader) sorted() []*structure {
	var all []*structure
	for _, s := range r.seen {
		all = append(all, s)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].openAPI < all[j].openAPI })
	return all
}

func (r *reader) shape(goType reflect.Type) shape {
	if special := specialTypes[goType]; special != "" {
		s := shape{kind: special}
		if strings.HasPrefix(special, "SchemaOr") {
			s.structure = r.structure(reflect.TypeFor[apiextensionsv1.JSONSchemaProps]())
		}
		return s
	}
	if scalar := scalarKinds[goType.Kind()]; scalar != "" {
		return shape{kind: scalar}
	}
	switch goType.Kind() {
	case reflect.Struct:
		return shape{kind: "Struct", structure: r.structure(goType)}
	case reflect.Slice:
		element := r.shape(goType.Elem())
		_, isMessage := reflect.PointerTo(goType).MethodByName("Marshal")
		return shape{kind: "List", element: &element, protoItems: isMessage}
	case reflect.Map:
		if goType.Key().Kind() != reflect.String {
			panic(fmt.Sprintf("%v: map keys are not strings", goType))
		}
		element := r.shape(goType.Elem())
		return shape{kind: "Map", element: &element}
	}
	panic(fmt.Sprintf("%v: a type schema.h cannot express", goType))
}

func (r *reader) fields(goType reflect.Type) []field {
	var fields []field
	for i := range goType.NumField() {
		goField := goType.Field(i)
		name, options, _ := strings.Cut(goField.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if goField.Anonymous && name == "" {
			fields = append(fields, r.flattened(goField)...)
			continue
		}
		if name == "" {
			panic(fmt.Sprintf("%v.%s has no JSON name", goType, goField.Name))
		}
		fields = append(fields, r.field(goField, name, options))
	}
	return fields
}

// flattened gives the fields of an embedded struct, which JSON shows in place.
func (r *reader) flattened(goField reflect.StructField) []field {
	if goField.Type.Kind() != reflect.Struct {
		panic(fmt.Sprintf("embedded %v is not a struct", goField.Type))
	}
	fields := r.fields(goField.Type)
	number := protoNumber(goField)
	for i := range fields {
		if fields[i].protoInside != 0 || (number == 0 && fields[i].proto != 0 && goField.Type != reflect.TypeFor[metav1.TypeMeta]()) {
			panic(fmt.Sprintf("%v: embedded twice or without protobuf number", goField.Type))
		}
		fields[i].protoInside = number
		fields[i].embedded = strings.TrimSuffix(goField.Name+"."+fields[i].embedded, ".")
		if number == 0 {
			fields[i].proto = 0
		}
	}
	return fields
}

func (r *reader) field(goField reflect.StructField, name, options string) field {
	goType := goField.Type
	pointer := goType.Kind() == reflect.Pointer
	if pointer {
		goType = goType.Elem()
	}
	return field{
		goType:        goField.Type,
		json:          name,
		goName:        goField.Name,
		shape:         r.shape(goType),
		proto:         protoNumber(goField),
		pointer:       pointer,
		omitEmpty:     hasOption(options, "omitempty") && goField.Type.Kind() != reflect.Struct,
		omitZero:      hasOption(options, "omitzero"),
		patchStrategy: goField.Tag.Get("patchStrategy"),
		patchKey:      goField.Tag.Get("patchMergeKey"),
	}
}

func hasOption(options, wanted string) bool {
	for option := range strings.SplitSeq(options, ",") {
		if option == wanted {
			return true
		}
	}
	return false
}

func protoNumber(goField reflect.StructField) int {
	parts := strings.Split(goField.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return 0
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		panic(fmt.Sprintf("%s: protobuf tag %v", goField.Name, parts))
	}
	return number
}

// openAPIName is what upstream's OpenAPI documents call a type.
func openAPIName(goType reflect.Type) string {
	if named, ok := reflect.Zero(goType).Interface().(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	host, path, _ := strings.Cut(goType.PkgPath(), "/")
	parts := strings.Split(host, ".")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + goType.Name()
}
