package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// A cluster of kind is found by the user's kubeconfig, and archives are loaded into it by the kubeconfig that connect wrote.
func TestConnectsToAClusterOfKindAndLoadsArchives(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }))
	defer server.Close()
	folder := t.TempDir()
	user := clientcmdapi.NewConfig()
	user.Clusters["kind-four"] = &clientcmdapi.Cluster{Server: server.URL}
	user.Contexts["kind-four"] = &clientcmdapi.Context{Cluster: "kind-four"}
	user.Contexts["prod"] = &clientcmdapi.Context{Cluster: "prod"}
	user.CurrentContext = "prod"
	require.NoError(t, clientcmd.WriteToFile(*user, filepath.Join(folder, "user")))
	calls := filepath.Join(folder, "calls")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "kind"), []byte("#!/bin/sh\necho \"$@\" >>'"+calls+"'\n"), 0o755))
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))

	t.Setenv("KUBECONFIG", filepath.Join(folder, "user"))
	alone := filepath.Join(folder, "alone")
	assert.Equal(t, "cluster: kind, context kind-four\n", run(t, "connect", "--cluster", "kind", "--kubeconfig", alone))
	t.Setenv("KUBECONFIG", alone)
	run(t, "load", "--cluster", "kind", "a.tar", "b.tar")
	text, err := os.ReadFile(calls)
	require.NoError(t, err)
	assert.Equal(t, "load image-archive a.tar --name four\nload image-archive b.tar --name four\n", string(text))
}

func run(t *testing.T, words ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := command()
	root.SetOut(&out)
	root.SetArgs(words)
	require.NoError(t, root.ExecuteContext(t.Context()))
	return out.String()
}

// The cluster is looked for before anything is built, images and operator go into it alone, and nodes pull public images themselves.
func TestMakeUsesARunningCluster(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	for tool, flags := range map[string]string{"kind": "--cluster kind --instance four", "k3d": "--cluster k3d --instance four", "minikube": "--cluster minikube --instance four"} {
		printed := makePrints(t, root, "experiment", "CLUSTER="+tool, "INSTANCE=four", "EXPERIMENT=smoke", "SERVER=disruptor", "BASE=", "IMAGES=ringside-images", "RINGSIDE=ringside")
		kubeconfig := root + "/build/kubeconfig-" + tool + "-four"
		from := 0
		for _, step := range []string{
			`ringside check smoke `, `--profile ` + tool,
			`KUBECONFIG="/home/me/config" ringside-images connect ` + flags + ` --kubeconfig "` + kubeconfig + `"`,
			`ringside-images build --without-public --experiment "experiments/smoke.yaml" --server "disruptor"`,
			`ringside-images load ` + flags + ` $(ringside-images archives --without-public --experiment "experiments/smoke.yaml" --server "disruptor")`,
			`ringside-images values $chart --without-public `,
			`ringside install `, `--load-with "ringside-images load ` + flags + `" --profile ` + tool,
			`exec ringside run smoke `, `--profile ` + tool, `--variable 'CLUSTER=` + tool + `'`,
		} {
			at := strings.Index(printed[from:], step)
			require.GreaterOrEqual(t, at, 0, "%s is not printed, or too early:\n%s", step, printed)
			from += at + len(step)
		}
		assert.NotContains(t, printed, "ringside-cluster")
	}
}

// With bases that are built here, because no public image can be pulled, Prometheus is built and loaded as well.
func TestMakeLoadsPrometheusWhereNoPublicImageCanBePulled(t *testing.T) {
	printed := makePrints(t, "../../..", "ready", "CLUSTER=kind", "EXPERIMENT=smoke", "BASE=bootstrap", "IMAGES=ringside-images")
	assert.Contains(t, printed, `ringside-images build --experiment "experiments/smoke.yaml" --server ""`)
	assert.Contains(t, printed, `$(ringside-images archives --experiment "experiments/smoke.yaml" --server "")`)
	assert.Contains(t, printed, "ringside-images values $chart >")
}

func TestMakeLeavesTheEmbeddedClusterAloneIfAnotherOneIsSelected(t *testing.T) {
	for _, target := range []string{"cluster-up", "cluster-down", "cluster-status"} {
		out, err := makeCommand("../../..", target, "CLUSTER=kind", "IMAGES=ringside-images").CombinedOutput()
		require.Error(t, err, target)
		assert.Contains(t, string(out), "make "+target+" is for the embedded cluster only, and CLUSTER is kind")
	}
}

func TestMakeRejectsAnUnknownCluster(t *testing.T) {
	out, err := makeCommand("../../..", "ready", "CLUSTER=docker").CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "CLUSTER=docker: unknown cluster; use embedded, kind, k3d, minikube or current")
}

// makePrints returns what make would run.
func makePrints(t *testing.T, root string, words ...string) string {
	t.Helper()
	out, err := makeCommand(root, words...).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func makeCommand(root string, words ...string) *exec.Cmd {
	command := exec.Command("make", append([]string{"--no-print-directory", "-C", root, "-n"}, words...)...)
	for _, variable := range os.Environ() { // without variables of a make that may run these tests
		switch name, _, _ := strings.Cut(variable, "="); name {
		case "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "KUBECONFIG", "USER_KUBECONFIG", "BASE", "INSTANCE", "CLUSTER":
		default:
			command.Env = append(command.Env, variable)
		}
	}
	command.Env = append(command.Env, "KUBECONFIG=/home/me/config")
	return command
}
