package localcluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Cluster is a cluster of a tool.
type Cluster struct {
	Tool Tool
	// Name is the tool's name of the cluster, Context that of the kubeconfig.
	Name, Context string
}

// Find returns the cluster of that name in a kubeconfig, or the only one of the tool if the name is empty.
func (t Tool) Find(config *clientcmdapi.Config, name string) (Cluster, error) {
	known := t.clusters(config)
	if name == "" && len(known) == 1 {
		name = known[0]
	}
	context := t.prefix + name
	attempt := "use a " + t.Name + " cluster"
	switch {
	case name != "" && config.Contexts[context] != nil:
		return Cluster{Tool: t, Name: name, Context: context}, nil
	case len(known) == 0:
		return Cluster{}, fmt.Errorf("%s: the kubeconfig has no context %s; create one: %s", attempt, t.prefix+cmp.Or(name, t.usual), t.Create)
	case name == "":
		return Cluster{}, fmt.Errorf("%s: there are several; choose one: INSTANCE=%s", attempt, strings.Join(known, " or INSTANCE="))
	}
	return Cluster{}, fmt.Errorf("%s: the kubeconfig has no context %s; choose INSTANCE=%s, or create it", attempt, context, strings.Join(known, " or INSTANCE="))
}

// clusters returns the tool's clusters in a kubeconfig. Contexts of minikube may have any name, so only its usual one is known to be of minikube.
func (t Tool) clusters(config *clientcmdapi.Config) []string {
	if t.prefix == "" {
		if config.Contexts[t.usual] == nil {
			return nil
		}
		return []string{t.usual}
	}
	var names []string
	for _, context := range slices.Sorted(maps.Keys(config.Contexts)) {
		if name, found := strings.CutPrefix(context, t.prefix); found && name != "" {
			names = append(names, name)
		}
	}
	return names
}
