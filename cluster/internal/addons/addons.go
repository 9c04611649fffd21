// Package addons holds what a usable cluster needs beyond Kubernetes itself: name resolution, a storage class, and
// the rights of the cluster's own programs.
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

// Render returns the addons' manifests.
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

// Apply brings the addons into the cluster; again and again does no harm. The cache is a directory for what kubectl
// remembers, which it would else leave in the home directory.
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

// Objects are all that may make pods, and the pods, as one JSON list.
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
