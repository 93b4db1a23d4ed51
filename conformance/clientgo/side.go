package clientgo

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	asProtobuf = runtime.ContentTypeProtobuf
	asJSON     = runtime.ContentTypeJSON
)

// side is one of the two servers as a program sees it, with a namespace of its own and what was noted.
type side struct {
	t          *testing.T
	kubeconfig string
	namespace  string

	mutex sync.Mutex // informers call from threads of their own
	notes []string
}

func newSide(t *testing.T, kubeconfig, namespace string) *side {
	return &side{t: t, kubeconfig: kubeconfig, namespace: namespace}
}

// play runs the program in a fresh namespace, with the service account that a controller would make; how it ended is noted.
func (s *side) play(what program) {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	if err := s.enter(ctx); err != nil {
		s.t.Errorf("no namespace %s: %v", s.namespace, err)
		return
	}
	if err := what.run(ctx, s); err != nil {
		s.note("failed: %v", err)
		s.t.Errorf("%s: %v", s.kubeconfig, err)
	}
}

func (s *side) enter(ctx context.Context) error {
	core := s.typed(asJSON, nil).CoreV1()
	if _, err := core.Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	_, err := core.ServiceAccounts(s.namespace).Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}, metav1.CreateOptions{})
	return err
}

// config is for clients of this content type; the wrapper, where there is one, sees every request.
func (s *side) config(contentType string, wrapper wrapper) *rest.Config {
	config, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		s.t.Fatal(err)
	}
	config.QPS, config.UserAgent, config.ContentType = -1, "clientgo", contentType
	if contentType == asProtobuf {
		config.AcceptContentTypes = asProtobuf + "," + asJSON
	}
	if wrapper != nil {
		config.Wrap(wrapper)
	}
	return config
}

func (s *side) typed(contentType string, wrapper wrapper) kubernetes.Interface {
	return kubernetes.NewForConfigOrDie(s.config(contentType, wrapper))
}

func (s *side) dynamic(wrapper wrapper) dynamic.Interface {
	return dynamic.NewForConfigOrDie(s.config("", wrapper))
}

func (s *side) metadata(wrapper wrapper) metadata.Interface {
	return metadata.NewForConfigOrDie(metadata.ConfigFor(s.config("", wrapper)))
}

// await polls until the condition holds.
func await(ctx context.Context, what string, holds func() (bool, error)) error {
	err := wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(context.Context) (bool, error) { return holds() })
	if err != nil {
		return fmt.Errorf("waiting for %s: %w", what, err)
	}
	return nil
}
