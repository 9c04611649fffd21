package localcluster

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// written writes a kubeconfig with a cluster of kind at an address and another cluster, which is the current one, and returns its path.
func written(t *testing.T, address string) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "token"), []byte("secret"), 0o600))
	config := clientcmdapi.NewConfig()
	for name, server := range map[string]string{"kind-four": address, "prod": "https://prod.example"} {
		config.Clusters[name] = &clientcmdapi.Cluster{Server: server}
		config.AuthInfos[name] = &clientcmdapi.AuthInfo{TokenFile: filepath.Join(folder, "token")}
		config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	}
	config.CurrentContext = "prod"
	path := filepath.Join(folder, "config")
	require.NoError(t, clientcmd.WriteToFile(*config, path))
	return path
}

func TestWritesAKubeconfigOfTheClusterAlone(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/version", r.URL.Path)
		_, _ = w.Write([]byte(`{"gitVersion": "v1.37.0"}`))
	}))
	defer server.Close()
	user := written(t, server.URL)
	before, err := os.ReadFile(user)
	require.NoError(t, err)
	t.Setenv("KUBECONFIG", user)
	config, err := Kubeconfig()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "build", "kubeconfig")
	require.NoError(t, cluster(t, "kind").Connect(t.Context(), config, file))

	only, err := clientcmd.LoadFromFile(file)
	require.NoError(t, err)
	assert.Equal(t, "kind-four", only.CurrentContext)
	assert.Len(t, only.Contexts, 1)
	assert.Len(t, only.Clusters, 1)
	assert.Len(t, only.AuthInfos, 1)
	assert.Equal(t, server.URL, only.Clusters["kind-four"].Server)
	again, err := cluster(t, "kind").Tool.Find(only, "")
	require.NoError(t, err)
	assert.Equal(t, "four", again.Name, "the written file leads to the same cluster")
	after, err := os.ReadFile(user)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "the user's own is only read")
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestAClusterThatDoesNotAnswerIsNamed(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	t.Setenv("KUBECONFIG", written(t, server.URL))
	config, err := Kubeconfig()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	err = cluster(t, "kind").Connect(t.Context(), config, file)
	require.ErrorContains(t, err, "use kind cluster four: it does not answer: ")
	assert.ErrorContains(t, err, "; start it, or delete it and create it again: kind create cluster --config cluster/kind.yaml")
	assert.NoFileExists(t, file)
}

func TestABrokenKubeconfigIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(path, []byte("clusters: ["), 0o600))
	t.Setenv("KUBECONFIG", path)
	_, err := Kubeconfig()
	require.ErrorContains(t, err, "read the kubeconfig: ")
	assert.ErrorContains(t, err, path)
}
