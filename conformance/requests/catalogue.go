package requests

import (
	"fmt"
	"strings"
)

const (
	claims = "/apis/resource.k8s.io/v1/namespaces/team/resourceclaims"
	maps   = "/api/v1/namespaces/team/configmaps"
	pods   = "/api/v1/namespaces/team/pods"
)

var (
	asJSON  = map[string]string{"Content-Type": "application/json"}
	asMerge = map[string]string{"Content-Type": "application/merge-patch+json"}
	asPatch = map[string]string{"Content-Type": "application/json-patch+json"}
	asSMP   = map[string]string{"Content-Type": "application/strategic-merge-patch+json"}
)

// catalogue has the refusals that clients branch on, at least one of each code and reason that a request can bring about. Those that take a
// fault of the server (500, 503) or an overload (429) are not among them.
func catalogue() []request {
	return []request{
		// 400 BadRequest
		{"POST", claims, asJSON, `{`},
		{"POST", claims, asJSON, ``},
		{"POST", claims, asJSON, `[]`},
		{"POST", claims, asJSON, `{"kind":"Pod","apiVersion":"v1"}`},
		{"POST", claims, asJSON, `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1beta1"}`},
		{"POST", claims, asJSON, `{"kind":"Nothing","apiVersion":"nobody.example.com/v1"}`},
		{"POST", claims, asJSON, `{"metadata":{"name":7}}`},
		{"POST", claims, asJSON, `{"metadata":{"name":"a","namespace":"other"},"spec":{"devices":{}}}`},
		{"POST", claims + "?fieldValidation=Strict", asJSON, `{"metadata":{"name":"a"},"spec":{"colour":1,"colour":2}}`},
		{"PUT", claims + "/claim", asJSON, `{"metadata":{"name":"other"}}`},
		{"PUT", claims + "/claim", asJSON, `{"metadata":{"name":"claim","namespace":"other"}}`},
		{"PUT", maps + "/map", asJSON, `{}`},
		{"GET", claims + "?labelSelector=a%20b%20c", nil, ""},
		{"GET", claims + "?labelSelector=a+in", nil, ""},
		{"GET", claims + "?fieldSelector=spec.colour%3Dred", nil, ""},
		{"GET", claims + "?fieldSelector=metadata.name", nil, ""},
		{"GET", claims + "?limit=x", nil, ""},
		{"GET", claims + "?continue=x", nil, ""},
		{"GET", claims + "?resourceVersion=x", nil, ""},
		{"GET", claims + "/claim?resourceVersion=x", nil, ""},
		{"PATCH", claims + "/claim", asMerge, `{`},
		{"PATCH", claims + "/claim", asPatch, `{}`},
		{"PATCH", claims + "/claim", asSMP, `[]`},
		{"DELETE", claims + "/claim", asJSON, `{"gracePeriodSeconds":"x"}`},
		{"DELETE", claims + "/claim?gracePeriodSeconds=x", nil, ""},
		// 404 NotFound
		{"GET", claims + "/nobody", nil, ""},
		{"GET", "/apis/resource.k8s.io/v1/deviceclasses/nobody", nil, ""},
		{"GET", "/apis/resource.k8s.io/v1/nothings", nil, ""},
		{"GET", "/apis/nobody.example.com/v1/nothings", nil, ""},
		{"GET", "/api/v2/pods", nil, ""},
		{"GET", claims + "/claim/nothing", nil, ""},
		{"DELETE", pods + "/nobody", nil, ""},
		{"PUT", pods + "/nobody", asJSON, `{"metadata":{"name":"nobody"},"spec":{"containers":[{"name":"a","image":"b"}]}}`},
		{"PATCH", pods + "/nobody", asMerge, `{}`},
		{"POST", "/api/v1/namespaces/nowhere/configmaps", asJSON, `{"metadata":{"name":"a"}}`},
		// 405 MethodNotAllowed
		{"POST", claims + "/claim", asJSON, `{}`},
		{"PUT", claims, asJSON, `{}`},
		{"PATCH", claims, asMerge, `{}`},
		{"POST", claims + "/claim/status", asJSON, `{}`},
		{"DELETE", claims + "/claim/status", nil, ``},
		{"DELETE", "/api/v1/namespaces", nil, ""},
		{"OPTIONS", claims, nil, ""},
		{"POST", "/apis/resource.k8s.io/v1/resourceclaims", asJSON, `{"metadata":{"name":"a"},"spec":{"devices":{}}}`},
		// 406 NotAcceptable, 415 UnsupportedMediaType
		{"GET", claims, map[string]string{"Accept": "text/html"}, ""},
		{"GET", claims, map[string]string{"Accept": "application/json;as=Nothing;v=v1;g=meta.k8s.io"}, ""},
		{"POST", claims, map[string]string{"Content-Type": "text/plain"}, `{}`},
		{"PUT", claims + "/claim", map[string]string{"Content-Type": "application/x-nothing"}, `{}`},
		{"PATCH", claims + "/claim", asJSON, `{}`},
		// 409 AlreadyExists, Conflict
		{"POST", claims, asJSON, `{"metadata":{"name":"claim"},"spec":{"devices":{}}}`},
		{"PUT", maps + "/map", asJSON, `{"metadata":{"name":"map","resourceVersion":"1"}}`},
		{"PUT", maps + "/map", asJSON, `{"metadata":{"name":"map","uid":"other"}}`},
		{"PATCH", maps + "/map", asMerge, `{"metadata":{"resourceVersion":"1"}}`},
		{"DELETE", maps + "/map", asJSON, `{"preconditions":{"uid":"other"}}`},
		{"DELETE", claims + "/claim", asJSON, `{"preconditions":{"resourceVersion":"1"}}`},
		{"DELETE", pods + "/web", asJSON, `{"preconditions":{"uid":"other"}}`},
		// 410 Expired
		{"GET", maps + "?continue=" + "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXHUwMDAwIn0", nil, ""},
		{"GET", maps + "?resourceVersion=1&resourceVersionMatch=Exact", nil, ""},
		// 413 RequestEntityTooLarge
		{"POST", maps, asJSON, fmt.Sprintf(`{"metadata":{"name":"large"},"data":{"a":%q}}`, strings.Repeat("x", 4<<20))},
		{"PATCH", maps + "/map", asMerge, fmt.Sprintf(`{"data":{"a":%q}}`, strings.Repeat("x", 4<<20))},
		// 422 Invalid
		{"POST", claims, asJSON, `{"metadata":{"name":"A_b"},"spec":{"devices":{"requests":[{"name":""},{"name":""}]}}}`},
		{"POST", claims, asJSON, `{"spec":{"devices":{}}}`},
		{"POST", claims + "?dryRun=Some", asJSON, `{"metadata":{"name":"a"},"spec":{"devices":{}}}`},
		{"POST", claims + "?fieldValidation=Some", asJSON, `{"metadata":{"name":"a"},"spec":{"devices":{}}}`},
		{"PUT", claims + "/claim", asJSON, `{"metadata":{"name":"claim"},"spec":{"devices":{}}}`},
		{"PATCH", claims + "/claim", asPatch, `[{"op":"test","path":"/metadata/name","value":"x"}]`},
		{"PATCH", claims + "/claim", asPatch, `[{"op":"remove","path":"/nothing"}]`},
		{"PATCH", claims + "/claim", asMerge, `{"metadata":{"labels":{"a b":"c"}}}`},
		{"GET", claims + "?resourceVersionMatch=Exact", nil, ""},
		{"GET", claims + "?sendInitialEvents=true", nil, ""},
		{"GET", claims + "?watch=true&sendInitialEvents=true", nil, ""},
		{"DELETE", claims + "/claim?propagationPolicy=Some", nil, ""},
		{"PUT", "/apis/coordination.k8s.io/v1/namespaces/team/leases/lease", asJSON, `{"metadata":{"name":"lease"}}`},
		// 504 Timeout
		{"GET", maps + "?resourceVersion=999999999", nil, ""},
		{"GET", maps + "/map?resourceVersion=999999999", nil, ""},
	}
}
