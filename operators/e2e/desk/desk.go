//go:build e2e

// Package desk is where a user sits who has a cluster of their own: the clone, and a kubeconfig. The cluster is an embedded one of the
// test's own, beside any other, with a registry that its nodes pull from.
package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Desk with its test, which ends where something that is done here fails.
type Desk struct {
	T    *testing.T
	Root string
	// Registry is where images and charts are pushed, localhost:PORT.
	Registry        string
	login           *Login
	credentials     string
	instance, state string
	env             []string
}

// New brings the cluster up, and takes it down when the test ends. Who pushes to its registry and pulls from it has to log in where a Login is given.
func New(t *testing.T, instance string, apiPort, registryPort int, login *Login) Desk {
	t.Helper()
	if os.Getenv("RINGSIDE_LONG") == "" {
		t.Skip("minutes on a cluster of its own: make test-long runs it")
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	state := filepath.Join(t.TempDir(), "state")
	d := Desk{T: t, Root: root, Registry: fmt.Sprintf("localhost:%d", registryPort), instance: instance, state: state,
		env: append(os.Environ(), "KUBECONFIG="+filepath.Join(state, "kubeconfig"), "BASE=bootstrap")}
	t.Cleanup(func() { d.Cluster("down") })
	up := []string{"up", "--api-port", strconv.Itoa(apiPort), "--registry", strconv.Itoa(registryPort)}
	if login != nil {
		d.login = login
		up = append(up, "--registry-users", d.logIn())
	}
	d.Cluster(up...)
	return d
}

// Step is one part of a test that takes the cluster as the ones before left it.
func (d Desk) Step(name string, test func(Desk)) bool {
	return d.T.Run(name, func(t *testing.T) {
		mine := d
		mine.T = t
		test(mine)
	})
}

// Images is where images are pushed.
func (d Desk) Images() string { return d.Registry + "/ringside" }

// Charts is where charts are pushed.
func (d Desk) Charts() string { return "oci://" + d.Registry + "/charts" }

// Kubeconfig of the cluster.
func (d Desk) Kubeconfig() string { return filepath.Join(d.state, "kubeconfig") }

// Environment of what is run at the desk: its KUBECONFIG is the cluster's.
func (d Desk) Environment() []string { return d.env }

// Cluster calls the embedded cluster's command.
func (d Desk) Cluster(args ...string) string {
	d.T.Helper()
	return d.Run("build/bin/ringside-cluster", append([]string{"--instance", d.instance, "--state", d.state}, args...)...)
}

// Helm calls the helm command, as a user does who installs charts without make.
func (d Desk) Helm(args ...string) string {
	d.T.Helper()
	return d.Run("go", append([]string{"tool", "helm"}, args...)...)
}

// Kubectl calls the kubectl command of the embedded cluster.
func (d Desk) Kubectl(args ...string) string {
	d.T.Helper()
	return d.Run("build/bin/kube/kubectl", args...)
}

// ApplyYAML to the cluster.
func (d Desk) ApplyYAML(objects string) {
	d.T.Helper()
	file := filepath.Join(d.T.TempDir(), "objects.yaml")
	require.NoError(d.T, os.WriteFile(file, []byte(objects), 0o600))
	d.Kubectl("apply", "--server-side", "-f", file)
}

// Run calls a program from the clone's root, as a user does, and returns what it prints to its standard output.
func (d Desk) Run(program string, args ...string) string {
	d.T.Helper()
	out, problems, err := d.Try(program, args...)
	require.NoError(d.T, err, "%s%s", out, problems)
	return out
}

// Try is Run where it may fail.
func (d Desk) Try(program string, args ...string) (out, problems string, err error) {
	d.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute) // not the test's: it also takes the cluster down
	defer cancel()
	if strings.Contains(program, "/") && !filepath.IsAbs(program) {
		program = filepath.Join(d.Root, program)
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Dir, command.Env = d.Root, d.env
	var printed, complained bytes.Buffer
	command.Stdout, command.Stderr = &printed, &complained
	started := time.Now()
	err = command.Run()
	d.T.Logf("%.1f s: %s %s", time.Since(started).Seconds(), filepath.Base(program), strings.Join(args, " "))
	return strings.TrimSpace(printed.String()), complained.String(), err
}

// Await until it holds, and fail where it does not in time.
func (d Desk) Await(limit time.Duration, holds func() bool) {
	d.T.Helper()
	require.Eventually(d.T, holds, limit, time.Second)
}

// Built is an image as the build's manifest has it.
type Built struct {
	Name, Registry, Tag, Version string
	Digests                      []string
}

// Built images, of all registries.
func (d Desk) Built() []Built {
	content, err := os.ReadFile(filepath.Join(d.Root, "build/images/manifest.json"))
	require.NoError(d.T, err)
	var manifest struct{ Images []Built }
	require.NoError(d.T, json.Unmarshal(content, &manifest))
	return manifest.Images
}

// Image that was pushed to the desk's registry.
func (d Desk) Image(name string) Built {
	for _, image := range d.Built() {
		if image.Name == name && image.Registry == d.Images() {
			return image
		}
	}
	require.FailNow(d.T, "not pushed", name)
	return Built{}
}

// Reference of an image as a node reports it.
func (b Built) Reference() string {
	return fmt.Sprintf("%s/ringside-%s@%s", b.Registry, b.Name, b.Digests[0])
}

var pushed = regexp.MustCompile(`Digest: (sha256:[0-9a-f]{64})`)

// PushChart to the registry of charts, and tell its digest.
func (d Desk) PushChart(name string) string {
	packages := d.T.TempDir()
	d.Helm("package", "charts/"+name, "-d", packages)
	files, err := filepath.Glob(filepath.Join(packages, "*.tgz"))
	require.NoError(d.T, err)
	require.Len(d.T, files, 1)
	out, more, err := d.Try("go", "tool", "helm", "push", files[0], d.Charts(), "--plain-http")
	require.NoError(d.T, err, out+more)
	match := pushed.FindStringSubmatch(out + more)
	require.NotNil(d.T, match, "helm tells no digest: %s%s", out, more)
	return match[1]
}
