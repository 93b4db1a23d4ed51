package upstream

import (
	"context"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/registry/rest"
	clientv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourcepoolstatusrequest"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
)

// kind is what the server does for one kind.
type kind struct {
	resource string
	create   rest.RESTCreateStrategy
	update   rest.RESTUpdateStrategy
	status   rest.RESTUpdateStrategy // nil: no status subresource
	// draOnly: of this kind only the fields of Dynamic Resource Allocation are compared.
	draOnly bool
}

var kinds = allKinds()

type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

func allKinds() map[schema.GroupKind]*kind {
	claims := resourceclaim.NewStrategy(&namespace, authorizerfactory.NewAlwaysAllowAuthorizer())
	table := map[schema.GroupKind]*kind{}
	add := func(group, name, resource string, main strategy, status rest.RESTUpdateStrategy, draOnly bool) {
		table[schema.GroupKind{Group: group, Kind: name}] = &kind{resource, main, main, status, draOnly}
	}
	const dra = "resource.k8s.io"
	add(dra, "ResourceSlice", "resourceslices", resourceslice.Strategy, nil, false)
	add(dra, "ResourceClaim", "resourceclaims", claims, resourceclaim.NewStatusStrategy(claims), false)
	add(dra, "ResourceClaimTemplate", "resourceclaimtemplates", resourceclaimtemplate.NewStrategy(&namespace), nil, false)
	add(dra, "DeviceClass", "deviceclasses", deviceclass.Strategy, nil, false)
	add(dra, "DeviceTaintRule", "devicetaintrules", devicetaintrule.Strategy, devicetaintrule.StatusStrategy, false)
	add(dra, "ResourcePoolStatusRequest", "resourcepoolstatusrequests", resourcepoolstatusrequest.Strategy,
		resourcepoolstatusrequest.StatusStrategy, false)
	add("", "Pod", "pods", pod.Strategy, pod.StatusStrategy, true)
	add("", "PodTemplate", "podtemplates", podtemplate.Strategy, nil, true)
	add("", "ReplicationController", "replicationcontrollers", replicationcontroller.Strategy, nil, true)
	add("apps", "Deployment", "deployments", deployment.Strategy, nil, true)
	add("apps", "ReplicaSet", "replicasets", replicaset.Strategy, nil, true)
	add("apps", "StatefulSet", "statefulsets", statefulset.Strategy, nil, true)
	add("apps", "DaemonSet", "daemonsets", daemonset.Strategy, nil, true)
	add("batch", "Job", "jobs", job.Strategy, nil, true)
	add("batch", "CronJob", "cronjobs", cronjob.Strategy, nil, true)
	return table
}

// namespace is the request's: it exists, under any name.
var namespace namespaceGetter

type namespaceGetter struct {
	clientv1.NamespaceInterface
	labels map[string]string
}

func (g *namespaceGetter) Get(_ context.Context, name string, _ metav1.GetOptions) (*v1.Namespace, error) {
	return &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: g.labels}}, nil
}
