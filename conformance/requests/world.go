package requests

import (
	"fmt"
	"net/http"
)

// world is what stands on both servers before a request: one object of each kind that requests are about.
var world = []struct{ collection, name, body string }{
	{"/api/v1/namespaces", "team", `{"metadata":{"name":"team"}}`},
	{"/api/v1/namespaces/team/serviceaccounts", "default", `{"metadata":{"name":"default"}}`},
	{"/api/v1/namespaces/team/configmaps", "map", `{"metadata":{"name":"map","labels":{"a":"b"}},"data":{"k":"v"}}`},
	{"/api/v1/namespaces/team/pods", "web", `{"metadata":{"name":"web"},"spec":{"containers":[{"name":"main","image":"nginx"}]}}`},
	{"/api/v1/nodes", "node-1", `{"metadata":{"name":"node-1"}}`},
	{"/apis/resource.k8s.io/v1/namespaces/team/resourceclaims", "claim",
		`{"metadata":{"name":"claim"},"spec":{"devices":{"requests":[{"name":"one","exactly":{"deviceClassName":"class"}}]}}}`},
	{"/apis/resource.k8s.io/v1/namespaces/team/resourceclaimtemplates", "template",
		`{"metadata":{"name":"template"},"spec":{"spec":{"devices":{}}}}`},
	{"/apis/resource.k8s.io/v1/deviceclasses", "class", `{"metadata":{"name":"class"},"spec":{}}`},
	{"/apis/resource.k8s.io/v1/resourceslices", "slice",
		`{"metadata":{"name":"slice"},"spec":{"driver":"d.example.com","nodeName":"node-1","pool":{"name":"p","generation":1,"resourceSliceCount":1}}}`},
	{"/apis/coordination.k8s.io/v1/namespaces/team/leases", "lease", `{"metadata":{"name":"lease"},"spec":{"holderIdentity":"me"}}`},
	{"/apis/apps/v1/namespaces/team/deployments", "web",
		`{"metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`},
}

// restore makes the objects of the world as they were. What requests created besides stays.
func (s server) restore() error {
	json := map[string]string{"Content-Type": "application/json"}
	for _, each := range world {
		object := each.collection + "/" + each.name
		if each.name != "team" { // nobody empties namespaces
			if _, err := s.ask(request{Method: "DELETE", Target: object, Headers: json, Body: `{"gracePeriodSeconds":0}`}); err != nil {
				return err
			}
		}
		got, err := s.ask(request{Method: "POST", Target: each.collection, Headers: json, Body: each.body})
		if err != nil {
			return err
		}
		if got.Code != http.StatusCreated && got.Code != http.StatusConflict {
			return fmt.Errorf("%s cannot be made: %v", object, got)
		}
	}
	return nil
}
