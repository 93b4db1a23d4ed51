package upstream

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/names"
)

const (
	defaultNamespace = "default"
	generatedSuffix  = "xxxxx"
	newUID           = "00000000-0000-4000-8000-000000000001"
	oldVersion       = "1"
)

// Creation time of every new object: the answer must not depend on the clock.
var newTime = metav1.NewTime(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC))

// completeMetadata does what handlers and store do before the strategy sees the object. The request's namespace is the
// object's, else `default`; a stored object without namespace is in the request's.
func (a *attempt) completeMetadata() {
	object := metadata(a.object)
	if !a.kind.create.NamespaceScoped() {
		object.SetNamespace("")
	} else if object.GetNamespace() == "" {
		object.SetNamespace(defaultNamespace)
	}
	if a.operation == "create" {
		rest.WipeObjectMetaSystemFields(object)
		object.SetCreationTimestamp(newTime)
		object.SetUID(newUID)
		generateName(object)
		return
	}
	old := metadata(a.old)
	if !a.kind.create.NamespaceScoped() {
		old.SetNamespace("")
	} else if old.GetNamespace() == "" {
		old.SetNamespace(object.GetNamespace())
	}
}

func generateName(object metav1.Object) {
	base := object.GetGenerateName()
	if base == "" || object.GetName() != "" {
		return
	}
	object.SetName(base[:min(len(base), names.MaxGeneratedNameLength)] + generatedSuffix)
}

// settleResourceVersion is the store's check before an update. A stored object without resourceVersion matches any.
func (a *attempt) settleResourceVersion(ctx context.Context, strategy rest.RESTUpdateStrategy) error {
	versioner := storage.APIObjectVersioner{}
	wanted, err := versioner.ObjectResourceVersion(a.object)
	if err != nil {
		return err
	}
	stored, err := versioner.ObjectResourceVersion(a.old)
	if err != nil {
		return err
	}
	resource := schema.GroupResource{Group: a.version.Group, Resource: a.kind.resource}
	name := metadata(a.object).GetName()
	switch {
	case wanted == 0 && strategy.AllowUnconditionalUpdate(ctx):
		version := metadata(a.old).GetResourceVersion()
		if stored == 0 {
			version = oldVersion
		}
		metadata(a.object).SetResourceVersion(version)
	case wanted == 0:
		missing := field.Invalid(field.NewPath("metadata", "resourceVersion"), wanted, "must be specified for an update")
		return apierrors.NewInvalid(schema.GroupKind{Group: resource.Group, Kind: resource.Resource}, name, field.ErrorList{missing})
	case stored != 0 && wanted != stored:
		return apierrors.NewConflict(resource, name, errors.New(registry.OptimisticLockErrorMsg))
	}
	return nil
}

// problems are the causes of the Status that err becomes.
func problems(err error) []Problem {
	status := responsewriters.ErrorToAPIStatus(err)
	if status.Details == nil || len(status.Details.Causes) == 0 {
		return []Problem{{string(status.Reason), "", status.Message}}
	}
	list := make([]Problem, 0, len(status.Details.Causes))
	for _, cause := range status.Details.Causes {
		list = append(list, Problem{string(cause.Type), cause.Field, cause.Message})
	}
	return list
}
