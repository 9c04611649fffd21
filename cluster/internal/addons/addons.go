// Package addons holds the objects that a cluster needs in addition to Kubernetes itself: DNS, a storage class, and the
// rights of the cluster's own programs.
package addons

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os/exec"
	"strings"
	"text/template"

	"ringside.dev/ringside/cluster/internal/controlplane"
	"ringside.dev/ringside/cluster/internal/images"
	"ringside.dev/ringside/cluster/internal/policy"
	"ringside.dev/ringside/cluster/internal/provisioner"
	"ringside.dev/ringside/cluster/internal/topology"
)

//go:embed addons.yaml
var manifests string

// Render returns the manifests of the addons.
func Render() ([]byte, error) {
	parsed, err := template.New("addons").Option("missingkey=error").Parse(manifests)
	if err != nil {
		return nil, fmt.Errorf("parse addons: %w", err)
	}
	var rendered bytes.Buffer
	err = parsed.Execute(&rendered, map[string]string{
		"Domain":            topology.Domain,
		"DNSServiceIP":      topology.DNSServiceIP,
		"CoreDNSImage":      images.CoreDNSName,
		"Provisioner":       provisioner.Name,
		"ProvisionerUser":   controlplane.ProvisionerUser,
		"KubeletClientUser": controlplane.KubeletClientUser,
		"PolicyUser":        policy.User,
	})
	if err != nil {
		return nil, fmt.Errorf("render addons: %w", err)
	}
	return rendered.Bytes(), nil
}

// Apply applies the addons to the cluster. It is idempotent. cache is kubectl's cache directory, which is otherwise in
// the home directory.
func Apply(ctx context.Context, kubectl, kubeconfig, cache string) error {
	rendered, err := Render()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, kubectl, "--kubeconfig="+kubeconfig, "--cache-dir="+cache,
		"apply", "--server-side", "--force-conflicts", "--field-manager=ringside-cluster", "-f", "-")
	cmd.Stdin = bytes.NewReader(rendered)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("apply addons: %w: %s", err, strings.TrimSpace(string(output)))
	}
	return nil
}

// Objects returns all pods and the objects that create pods, as one JSON list.
func Objects(ctx context.Context, kubectl, kubeconfig, cache string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, kubectl, "--kubeconfig="+kubeconfig, "--cache-dir="+cache,
		"get", "pods,statefulsets,deployments,daemonsets,replicasets,jobs,cronjobs", "--all-namespaces", "--output=json")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	objects, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list what runs: %w: %s", err, strings.TrimSpace(complaint.String()))
	}
	return objects, nil
}
