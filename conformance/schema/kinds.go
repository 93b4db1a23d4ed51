package main

import (
	"reflect"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// metaV1 is the group of tables and partial objects; discovery answers and options are also found there.
var metaV1 = schema.GroupVersion{Group: "meta.k8s.io", Version: "v1"}

// groupVersions lists what quadra knows. To add one, add its AddToScheme here.
var groupVersions = []struct {
	at  schema.GroupVersion
	add func(*runtime.Scheme) error
}{
	{corev1.SchemeGroupVersion, corev1.AddToScheme},
	{resourcev1.SchemeGroupVersion, resourcev1.AddToScheme},
	{resourcev1beta2.SchemeGroupVersion, resourcev1beta2.AddToScheme},
	{resourcev1beta1.SchemeGroupVersion, resourcev1beta1.AddToScheme},
	{resourcev1alpha3.SchemeGroupVersion, resourcev1alpha3.AddToScheme},
	{eventsv1.SchemeGroupVersion, eventsv1.AddToScheme},
	{coordinationv1.SchemeGroupVersion, coordinationv1.AddToScheme},
	{rbacv1.SchemeGroupVersion, rbacv1.AddToScheme},
	{authenticationv1.SchemeGroupVersion, authenticationv1.AddToScheme},
	{authorizationv1.SchemeGroupVersion, authorizationv1.AddToScheme},
	{policyv1.SchemeGroupVersion, policyv1.AddToScheme},
	{schedulingv1.SchemeGroupVersion, schedulingv1.AddToScheme},
	{appsv1.SchemeGroupVersion, appsv1.AddToScheme},
	{batchv1.SchemeGroupVersion, batchv1.AddToScheme},
	{autoscalingv1.SchemeGroupVersion, addScale},
	{storagev1.SchemeGroupVersion, storagev1.AddToScheme},
	{apiextensionsv1.SchemeGroupVersion, apiextensionsv1.AddToScheme},
	{metaV1, addMeta},
}

// addScale adds what the scale subresources speak; the autoscalers of that group are not known.
func addScale(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(autoscalingv1.SchemeGroupVersion, &autoscalingv1.Scale{})
	return nil
}

func addMeta(scheme *runtime.Scheme) error {
	metav1.AddToGroupVersion(scheme, metaV1)
	scheme.AddKnownTypes(metaV1, &metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroup{}, &metav1.APIGroupList{},
		&metav1.APIResourceList{})
	return metav1.AddMetaToScheme(scheme)
}

// kind is one row of the table of kinds.
type kind struct {
	schema.GroupVersionKind
	goType    reflect.Type
	structure *structure
	served    served
	columns   []column
}

// knownKinds is sorted by group, version, kind. The options and discovery kinds of package meta, which Go registers in every
// group, are kept in core (where they are unversioned) and meta.k8s.io.
func knownKinds() []kind {
	scheme := runtime.NewScheme()
	for _, gv := range groupVersions {
		if err := gv.add(scheme); err != nil {
			panic(err)
		}
	}
	var kinds []kind
	for _, gv := range groupVersions {
		for name, goType := range scheme.KnownTypes(gv.at) {
			foreign := strings.HasSuffix(goType.PkgPath(), "/meta/v1") && gv.at.Group != "" && gv.at != metaV1
			if !foreign {
				kinds = append(kinds, kind{GroupVersionKind: gv.at.WithKind(name), goType: goType})
			}
		}
	}
	sort.Slice(kinds, func(i, j int) bool {
		a, b := kinds[i], kinds[j]
		if a.Group != b.Group {
			return a.Group < b.Group
		}
		if a.Version != b.Version {
			return a.Version < b.Version
		}
		return a.Kind < b.Kind
	})
	return kinds
}
