package runs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAKubeconfigThatIsNoneIsToldInALine(t *testing.T) {
	const empty = "apiVersion: v1\nkind: Config\n"
	for name, test := range map[string]struct{ text, context, want string }{
		"no YAML":      {"foo: [bar\n", "", "FILE is not a kubeconfig (it is not valid YAML: line 1: did not find expected ',' or ']'): " + fixKubeconfig},
		"a field":      {empty + "clusters: 5\n", "", "FILE is not a kubeconfig (clusters has another type than in a kubeconfig): " + fixKubeconfig},
		"a word":       {"hello\n", "", "FILE is not a kubeconfig (it is another kind of file): " + fixKubeconfig},
		"another kind": {"apiVersion: v1\nkind: Pod\n", "", "FILE is not a kubeconfig (it is another kind of file): " + fixKubeconfig},
		"a broken key": {empty + "current-context: a\nclusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: a, user: {client-key-data: eA==, client-certificate-data: eA==}}]\ncontexts: [{name: a, context: {cluster: a, user: a}}]\n", "",
			"the kubeconfig's user or cluster for https://127.0.0.1:1 cannot be used (tls: failed to find any PEM data in certificate input): " + fixKubeconfig},
		"no such context": {empty + "contexts: [{name: a, context: {cluster: a}}]\n", "b", `no cluster is configured (context "b" does not exist): ` + fixCluster},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config")
			require.NoError(t, os.WriteFile(file, []byte(test.text), 0o600))
			_, err := Connect(file, test.context, "ringside")
			require.Error(t, err)
			assert.Equal(t, test.want, strings.ReplaceAll(err.Error(), file, "FILE"))
		})
	}
	_, err := Connect("/nowhere/config", "", "ringside")
	assert.EqualError(t, err, "no cluster is configured (there is no file /nowhere/config): "+fixCluster)
}
