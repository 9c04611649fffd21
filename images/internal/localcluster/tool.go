// Package localcluster uses a cluster that kind, k3d or minikube runs on this machine: it finds it by its kubeconfig and loads image archives
// into its nodes. It creates no cluster.
package localcluster

import (
	"fmt"
	"slices"
	"strings"
)

// Tool runs clusters on this machine.
type Tool struct {
	// Name of the tool and of its program.
	Name string
	// Create is the command that creates a cluster with four nodes for the store.
	Create string
	// prefix of the tool's contexts in a kubeconfig, before the name of the cluster.
	prefix string
	// usual is the name that an error suggests, and for a tool without a prefix the only name that is found without being given.
	usual string
	// load returns the calls that load archives into all nodes of a cluster.
	load func(cluster string, archives []string) [][]string
}

var tools = []Tool{
	{
		Name: "kind", Create: "kind create cluster --config cluster/kind.yaml", prefix: "kind-", usual: "ringside",
		// One archive per call: kind before 0.17 loads only the first.
		load: func(cluster string, archives []string) [][]string {
			return each(archives, func(archive string) []string { return []string{"load", "image-archive", archive, "--name", cluster} })
		},
	},
	{
		Name: "k3d", Create: "k3d cluster create --config cluster/k3d.yaml", prefix: "k3d-", usual: "ringside",
		// One call: each starts and stops a container of its own.
		load: func(cluster string, archives []string) [][]string {
			return [][]string{append(append([]string{"image", "import"}, archives...), "--cluster", cluster)}
		},
	},
	{
		Name: "minikube", Create: "minikube start --nodes 5 && minikube addons enable storage-provisioner-rancher", usual: "minikube",
		load: func(cluster string, archives []string) [][]string {
			return each(archives, func(archive string) []string { return []string{"image", "load", archive, "--profile", cluster} })
		},
	},
}

func each(archives []string, call func(archive string) []string) [][]string {
	calls := make([][]string, len(archives))
	for i, archive := range archives {
		calls[i] = call(archive)
	}
	return calls
}

// Named returns the tool of that name.
func Named(name string) (Tool, error) {
	at := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == name })
	if at < 0 {
		names := make([]string, len(tools))
		for i, t := range tools {
			names[i] = t.Name
		}
		return Tool{}, fmt.Errorf("CLUSTER (--cluster) is %q: choose from %s", name, strings.Join(names, ", "))
	}
	return tools[at], nil
}
