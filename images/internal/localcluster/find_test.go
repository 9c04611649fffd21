package localcluster

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

func TestFindsTheClusterOfATool(t *testing.T) {
	for name, test := range map[string]struct {
		tool     string
		contexts []string
		instance string
		cluster  string
		context  string
		says     string
	}{
		"the only one":             {tool: "kind", contexts: []string{"k3d-b", "kind-a", "minikube"}, cluster: "a", context: "kind-a"},
		"the one that was named":   {tool: "k3d", contexts: []string{"k3d-a", "k3d-b"}, instance: "b", cluster: "b", context: "k3d-b"},
		"a name with a dash":       {tool: "kind", contexts: []string{"kind-kind-2"}, cluster: "kind-2", context: "kind-kind-2"},
		"minikube":                 {tool: "minikube", contexts: []string{"prod", "minikube"}, cluster: "minikube", context: "minikube"},
		"minikube by another name": {tool: "minikube", contexts: []string{"prod", "minikube", "four"}, instance: "four", cluster: "four", context: "four"},
		"none": {tool: "kind", contexts: []string{"prod", "kind-"},
			says: "use a kind cluster: the kubeconfig has no context kind-ringside; create one: kind create cluster --config cluster/kind.yaml"},
		"none of k3d": {tool: "k3d",
			says: "use a k3d cluster: the kubeconfig has no context k3d-ringside; create one: k3d cluster create --config cluster/k3d.yaml"},
		"none of that name": {tool: "k3d", instance: "b",
			says: "use a k3d cluster: the kubeconfig has no context k3d-b; create one: k3d cluster create --config cluster/k3d.yaml"},
		"others": {tool: "kind", contexts: []string{"kind-a", "kind-b"}, instance: "c",
			says: "use a kind cluster: the kubeconfig has no context kind-c; choose INSTANCE=a or INSTANCE=b, or create it"},
		"several": {tool: "kind", contexts: []string{"kind-b", "kind-a"},
			says: "use a kind cluster: there are several; choose one: INSTANCE=a or INSTANCE=b"},
		"no minikube, whatever else there is": {tool: "minikube", contexts: []string{"prod"},
			says: "use a minikube cluster: the kubeconfig has no context minikube; create one: minikube start --nodes 5 && minikube addons enable storage-provisioner-rancher"},
	} {
		t.Run(name, func(t *testing.T) {
			config := clientcmdapi.NewConfig()
			for _, context := range test.contexts {
				config.Contexts[context] = clientcmdapi.NewContext()
			}
			tool, err := Named(test.tool)
			require.NoError(t, err)
			cluster, err := tool.Find(config, test.instance)
			if test.says != "" {
				assert.EqualError(t, err, test.says)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.cluster, cluster.Name)
			assert.Equal(t, test.context, cluster.Context)
		})
	}
}

func TestAToolThatIsNoneIsRejectedWithThoseThatAre(t *testing.T) {
	_, err := Named("docker")
	assert.EqualError(t, err, `CLUSTER (--cluster) is "docker": choose from kind, k3d, minikube`)
}
