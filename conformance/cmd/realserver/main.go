// Realserver runs etcd and kube-apiserver until it is interrupted: go run ./cmd/realserver FOLDER [FLAG…]. It prints where the
// kubeconfig is once the server is ready, and then in JSON which processes it has, where the programs of Kubernetes are and how
// long that took; flags go to kube-apiserver.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"quadra/conformance/realserver"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: realserver FOLDER [FLAG of kube-apiserver…]")
		os.Exit(2)
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	server, err := realserver.Start(os.Args[1], os.Args[2:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "realserver:", err)
		os.Exit(1)
	}
	fmt.Println(server.Kubeconfig)
	json.NewEncoder(os.Stdout).Encode(map[string]any{"processes": server.Processes(), "peers": filepath.Dir(realserver.Peer("etcd")),
		"readySeconds": server.Ready.Seconds()})
	<-interrupted
	server.Stop()
}
