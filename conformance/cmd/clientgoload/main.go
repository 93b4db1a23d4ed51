// Clientgoload measures a server as programs of client-go see it: clientgoload KUBECONFIG SECONDS. It prints one JSON object:
// creates and gets of 1 KB a second with 16 clients, and the milliseconds that a list of all ResourceSlices takes after a write.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	clients = 16
	lists   = 3
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: clientgoload KUBECONFIG SECONDS")
		os.Exit(2)
	}
	if err := measure(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "clientgoload:", err)
		os.Exit(1)
	}
}

func measure(kubeconfig, seconds string) error {
	number, err := strconv.Atoi(seconds)
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.ContentType, config.AcceptContentTypes = -1, runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	m := measurement{client: client, time: time.Duration(number) * time.Second, figures: map[string]float64{}}
	for _, each := range []func() error{m.creates, m.gets, m.lists} {
		if err := each(); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(m.figures)
}

type measurement struct {
	client  kubernetes.Interface
	time    time.Duration
	figures map[string]float64
}

func (m *measurement) creates() (err error) {
	maps := m.client.CoreV1().ConfigMaps(metav1.NamespaceDefault)
	text := strings.Repeat("x", 1000)
	m.figures["client-go create"], err = m.perSecond(func(ctx context.Context, i int64) error {
		_, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("load-%d", i)}, Data: map[string]string{"k": text}}, metav1.CreateOptions{})
		return err
	})
	return err
}

func (m *measurement) gets() (err error) {
	maps := m.client.CoreV1().ConfigMaps(metav1.NamespaceDefault)
	m.figures["client-go get"], err = m.perSecond(func(ctx context.Context, _ int64) error {
		_, err := maps.Get(ctx, "load-1", metav1.GetOptions{})
		return err
	})
	return err
}

// perSecond is how many calls end a second with all clients busy.
func (m *measurement) perSecond(call func(context.Context, int64) error) (float64, error) {
	var next atomic.Int64
	errors := make(chan error, clients)
	begun := time.Now()
	for range clients {
		go func() {
			for time.Since(begun) < m.time {
				if err := call(context.Background(), next.Add(1)); err != nil {
					errors <- err
					return
				}
			}
			errors <- nil
		}()
	}
	for range clients {
		if err := <-errors; err != nil {
			return 0, err
		}
	}
	return float64(next.Load()) / time.Since(begun).Seconds(), nil
}

// lists keeps the shortest.
func (m *measurement) lists() error {
	slices := m.client.ResourceV1().ResourceSlices()
	for i := range lists {
		node := "node-1"
		_, err := slices.Create(context.Background(), &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("load-%d", i)},
			Spec: resourcev1.ResourceSliceSpec{Driver: "gpu.example.com", NodeName: &node, Pool: resourcev1.ResourcePool{Name: node, ResourceSliceCount: 1}}}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		begun := time.Now()
		if _, err := slices.List(context.Background(), metav1.ListOptions{}); err != nil {
			return err
		}
		took := float64(time.Since(begun).Milliseconds())
		if best, ok := m.figures["client-go list"]; !ok || took < best {
			m.figures["client-go list"] = took
		}
	}
	return nil
}
