package requests

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"quadra/conformance/generate"
)

// maker draws requests, most of them wrong in one place.
type maker struct{ *generate.Source }

// draw is about paths, queries, headers, bodies, patches or invalid objects of resource.k8s.io.
func (m maker) draw() request {
	switch n := m.IntN(100); {
	case n < 15:
		return m.oddPath()
	case n < 35:
		return m.oddQuery()
	case n < 45:
		return m.oddHeader()
	case n < 70:
		return m.oddBody()
	case n < 85:
		return m.invalidResource()
	}
	return m.oddPatch()
}

func pick[T any](m maker, choices ...T) T { return generate.Pick(m.Source, choices...) }

// object is one of the world's.
func (m maker) object() (collection, name, body string) {
	each := world[1+m.IntN(len(world)-1)]
	return each.collection, each.name, each.body
}

// plain is a request that is right, for spoiling; it changes nothing.
func (m maker) plain() request {
	collection, name, body := m.object()
	object := collection + "/" + name
	const dry = "?dryRun=All"
	switch m.IntN(6) {
	case 0:
		return request{"GET", object, map[string]string{}, ""}
	case 1:
		return request{"GET", collection, map[string]string{}, ""}
	case 2:
		return request{"POST", collection + dry, map[string]string{"Content-Type": "application/json"}, strings.Replace(body, name, "fresh", 1)}
	case 3:
		return request{"PUT", object + dry, map[string]string{"Content-Type": "application/json"}, body}
	case 4:
		return request{"PATCH", object + dry, map[string]string{"Content-Type": "application/merge-patch+json"}, `{"metadata":{"labels":{"x":"y"}}}`}
	}
	if m.Chance(0.5) {
		return request{"DELETE", object + dry, map[string]string{}, ""}
	}
	return request{"DELETE", object, map[string]string{"Content-Type": "application/json"}, `{"dryRun":["All"]}`}
}

func (m maker) oddPath() request {
	r := m.plain()
	path, query, _ := strings.Cut(r.Target, "?")
	parts := strings.Split(path, "/")
	switch at := 1 + m.IntN(len(parts)-1); m.IntN(6) {
	case 0:
		parts[at] = pick(m, "nothing", "a%20b", "A", "..", ".", "a%2Fb", "%00", "v9", "status", "pods", "namespaces", "-", "a_b", strings.Repeat("n", 300), "%C3%BC", "scale")
	case 1:
		parts = append(parts[:at], parts[at+1:]...)
	case 2:
		parts = append(parts[:at], append([]string{pick(m, "extra", "status", "namespaces", "team")}, parts[at:]...)...)
	case 3:
		parts = append(parts, pick(m, "status", "nothing", "binding", "scale", "finalize", "status/more", "", "ephemeralcontainers"))
	case 4:
		r.Method = pick(m, "GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "TRACE", "NOTHING")
	default:
		parts = append(parts[:2], append([]string{pick(m, "v1", "resource.k8s.io", "apps", "nobody.example.com")}, parts[min(3, len(parts)):]...)...)
	}
	r.Target = strings.Join(parts, "/")
	if query != "" || r.Method != "GET" {
		r.Target += "?dryRun=All"
	}
	return r
}

var parameters = map[string][]string{
	"fieldSelector":        {"metadata.name=a", "metadata.name", "a=b", "metadata.name==a", "metadata.name!=a", "a=b,c", "=", "metadata.name=a=b", `metadata.name=\`, "spec.nodeName=a", "status.phase=x", ",", "metadata.namespace=team", " metadata.name = a"},
	"labelSelector":        {"a=b", "a==b", "a!=b", "a", "!a", "a in (b,c)", "a in b", "a in (", "a notin (b", "a,,b", "=b", "a>1", "a>x", "a<", "-a=b", "a=b c", "a=-", "a=" + strings.Repeat("v", 70), "A/b/c=d", "x in ()", "(a)", "a = b , c", "!", "a=b,c!=d,e"},
	"limit":                {"0", "1", "-1", "x", "1.5", "9223372036854775808", "", "0x1"},
	"continue":             {"x", "", "bm90aGluZw", "e30", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi8uLi94In0", "=="},
	"resourceVersion":      {"0", "1", "", "x", "-1", "1.0", "18446744073709551616", " 1"},
	"resourceVersionMatch": {"Exact", "NotOlderThan", "", "exact", "Some"},
	"timeoutSeconds":       {"1", "x", "-1", "", "0"},
	"dryRun":               {"All", "", "all", "Some", "All,All"},
	"fieldValidation":      {"Strict", "Warn", "Ignore", "", "strict", "x"},
	"fieldManager":         {"me", "", strings.Repeat("m", 129), "a\nb", "ü"},
	"propagationPolicy":    {"Orphan", "Background", "Foreground", "", "foreground", "x"},
	"gracePeriodSeconds":   {"0", "1", "-1", "x", "1.5", ""},
	"orphanDependents":     {"true", "false", "x", "", "1"},
	"sendInitialEvents":    {"true", "false", "x", ""},
	"allowWatchBookmarks":  {"true", "x"},
	"force":                {"true", "false", "x"},
	"pretty":               {"true", "x", "0"},
	"nothing":              {"a"},
}

func (m maker) oddQuery() request {
	r := m.plain()
	path, _, _ := strings.Cut(r.Target, "?")
	names := generate.SortedKeys(asObject(parameters))
	var pairs []string
	if r.Method != "GET" {
		pairs = append(pairs, "dryRun=All")
	}
	for range 1 + m.IntN(3) {
		name := pick(m, names...)
		pairs = append(pairs, name+"="+url.QueryEscape(pick(m, parameters[name]...)))
	}
	if m.Chance(0.05) {
		pairs = append(pairs, pick(m, "%zz=1", "a;b", "=", "&&", "limit=%"))
	}
	r.Target = path + "?" + strings.Join(pairs, "&")
	return r
}

func asObject[T any](from map[string]T) generate.Object {
	object := generate.Object{}
	for name := range from {
		object[name] = nil
	}
	return object
}

func (m maker) oddHeader() request {
	r := m.plain()
	if m.Chance(0.5) {
		r.Headers["Accept"] = pick(m, "text/html", "", "*/*", "application/*", "application/json;q=0", "application/yaml", "application/xml", "nonsense", ",", "application/json;as=Table",
			"application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=Table;v=v9;g=meta.k8s.io", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
			"application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", "application/json;as=Nothing;v=v1;g=meta.k8s.io", "application/json;stream=watch", "application/json; charset=utf-8",
			"text/html, application/json;q=0.1", "application/cbor", "application/json;pretty=1;as=x")
	} else {
		r.Headers["Content-Type"] = pick(m, "text/plain", "", "application/yaml", "application/json; charset=latin1", "application/xml", "nonsense", "application/json;;", "application/cbor",
			"application/vnd.kubernetes.protobuf", "application/merge-patch+json", "application/json-patch+json; a=b", "application/strategic-merge-patch+json", "multipart/form-data")
	}
	return r
}

// oddBody is a creation or an update, of any kind, with a body that is spoilt.
func (m maker) oddBody() request {
	collection, name, body := m.object()
	r := request{"POST", collection, map[string]string{"Content-Type": pick(m, "application/json", "application/json", "application/json", "application/yaml", "application/vnd.kubernetes.protobuf")}, body}
	switch m.IntN(3) {
	case 0:
		r.Method, r.Target = "PUT", collection+"/"+name
	case 1:
		r.Body = strings.Replace(body, name, "fresh", 1)
	}
	r.Target += "?dryRun=All" + pick(m, "", "", "&fieldValidation=Strict", "&fieldValidation=Ignore")
	r.Body = m.spoilt(r.Body)
	return r
}

func (m maker) spoilt(body string) string {
	switch m.IntN(9) {
	case 0:
		return body[:m.IntN(len(body)+1)]
	case 1:
		at := m.IntN(len(body))
		return body[:at] + pick(m, "x", "{", "}", "\"", ",", "\x00", "é", "\\", "0", "[", "\n", "\t") + body[at:]
	case 2:
		return pick(m, "", " ", "null", "[]", "7", `"text"`, "true", "{}", "{}{}", "{} x", "---", "a: b", "k8s\x00", "k8s\x00\x0a\x00", "k8s\x00\xff\xff", "\x0a\x00", "// comment\n{}", "\xef\xbb\xbf{}")
	case 3:
		return "{" + pick(m, `"kind":"Pod",`, `"kind":"pod",`, `"apiVersion":"v1",`, `"apiVersion":"v9",`, `"apiVersion":"a/b/c",`, `"kind":"Nothing","apiVersion":"nobody.example.com/v1",`, `"kind":7,`, `"apiVersion":{},`,
			`"kind":"Pod","apiVersion":"v1",`, `"kind":"ConfigMap","apiVersion":"v1",`, `"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1beta1",`, `"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1",`, `"colour":"red",`, `"metadata":null,`, `"status":{"x":1},`) + body[1:]
	case 4:
		return m.changed(body)
	case 5:
		return strings.Replace(body, `"metadata":{`, `"metadata":{`+pick(m, `"namespace":"other",`, `"uid":"x",`, `"resourceVersion":"7",`, `"resourceVersion":"x",`, `"generateName":"a-",`, `"name":"A_b",`, `"labels":{"a b":"c"},`, `"labels":{"a":7},`, `"annotations":{"":"x"},`,
			`"finalizers":["x"],`, `"finalizers":["a b/c"],`, `"ownerReferences":[{"name":"a"}],`, `"deletionTimestamp":"2020-01-01T00:00:00Z",`, `"creationTimestamp":"x",`, `"generation":-1,`, `"managedFields":[{}],`, `"colour":1,`, `"labels":{"a":"b","a":"c"},`, `"labels":null,`, `"selfLink":"/x",`), 1)
	case 6:
		return strings.Replace(body, `"spec":{`, `"spec":{`+pick(m, `"colour":1,`, `"colour":1,"colour":2,`, `"devices":7,`, `"containers":{},`, `"Containers":[],`, `"replicas":"x",`, `"replicas":1.5,`, `"nodeName":[],`), 1)
	case 7:
		return strings.Repeat(pick(m, "[", `{"a":`), pick(m, 5, 100, 11000))
	}
	return body
}

// changed is the body with one value of it replaced by another.
func (m maker) changed(body string) string {
	var tree any
	if json.Unmarshal([]byte(body), &tree) != nil {
		return body
	}
	m.change(tree)
	text, err := json.Marshal(tree)
	if err != nil {
		return body
	}
	return string(text)
}

func (m maker) change(tree any) {
	object, ok := tree.(map[string]any)
	if list, isList := tree.([]any); isList && len(list) > 0 {
		m.change(list[m.IntN(len(list))])
		return
	}
	if !ok || len(object) == 0 {
		return
	}
	name := pick(m, generate.SortedKeys(object)...)
	if m.Chance(0.5) {
		m.change(object[name])
		return
	}
	object[name] = pick[any](m, 7, -1, 1.5, "x", true, nil, []any{}, map[string]any{}, []any{7}, map[string]any{"a": "b"}, strings.Repeat("x", 300))
}

// invalidResource is an object of resource.k8s.io with faults.
func (m maker) invalidResource() request {
	question := m.ResourceQuestion()
	object := question.Object
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	plural := map[string]string{"DeviceClass": "deviceclasses", "DeviceTaintRule": "devicetaintrules", "ResourceClaim": "resourceclaims", "ResourceClaimTemplate": "resourceclaimtemplates",
		"ResourcePoolStatusRequest": "resourcepoolstatusrequests", "ResourceSlice": "resourceslices"}[kind]
	scope := ""
	if meta, ok := object["metadata"].(generate.Object); ok {
		delete(meta, "resourceVersion")
		if strings.HasPrefix(plural, "resourceclaim") {
			scope = "namespaces/team/"
			meta["namespace"] = "team"
		}
	}
	text, _ := json.Marshal(object)
	return request{"POST", fmt.Sprintf("/apis/%s/%s%s?dryRun=All", version, scope, plural), asJSON, string(text)}
}

func (m maker) oddPatch() request {
	collection, name, body := m.object()
	kind := pick(m, asMerge, asPatch, asSMP)
	r := request{"PATCH", collection + "/" + name + "?dryRun=All" + pick(m, "", "", "&fieldValidation=Strict", "&fieldValidation=Ignore"), kind, ""}
	switch {
	case m.Chance(0.2):
		r.Body = m.spoilt(body)
	case kind["Content-Type"] == asPatch["Content-Type"]:
		r.Body = m.operations()
	default:
		r.Body = m.changed(body)
	}
	return r
}

func (m maker) operations() string {
	var list []string
	for range 1 + m.IntN(2) {
		path := pick(m, "/metadata/labels", "/metadata/labels/a", "/metadata/name", "/spec", "/nothing", "/metadata/nothing/more", "", "metadata", "/", "/~2", "/metadata/finalizers/-", "/metadata/finalizers/9", "/spec/containers/0/image", "/kind", "/metadata/uid", "/metadata/resourceVersion")
		value := pick(m, `"x"`, `7`, `{}`, `[]`, `null`, `{"a":"b"}`, `{"a":7}`, `["x"]`)
		list = append(list, pick(m,
			fmt.Sprintf(`{"op":%q,"path":%q,"value":%s}`, pick(m, "add", "replace", "test", "remove", "nothing", ""), path, value),
			fmt.Sprintf(`{"op":"remove","path":%q}`, path),
			fmt.Sprintf(`{"op":%q,"path":%q,"from":%q}`, pick(m, "move", "copy"), path, pick(m, "/metadata/labels", "/nothing", "")),
			fmt.Sprintf(`{"op":"add","path":%q}`, path), `{}`, `7`, `{"op":7}`, `null`))
	}
	return "[" + strings.Join(list, ",") + "]"
}
