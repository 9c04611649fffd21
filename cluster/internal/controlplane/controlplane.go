// Package controlplane describes the machine that runs etcd, the API server, the controllers, the scheduler and the
// volume provisioner.
package controlplane

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/client-go/util/cert"

	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/pki"
	"ringside.dev/ringside/cluster/internal/topology"
)

// Paths of the cluster's files inside the machine.
const (
	pkiDir     = "/run/pki"
	clusterDir = "/run/cluster" // the whole state directory, in which the provisioner creates volumes
)

// ProvisionerUser is the user name of the provisioner at the API server.
const ProvisionerUser = "ringside:local-ssd-provisioner"

// KubeletClientUser is the user name of the API server at the kubelets.
const KubeletClientUser = "kube-apiserver-kubelet-client"

// Prepare writes the certificates and configuration of the control plane and returns its machine, which includes a
// registry unless registry is nil.
func Prepare(l layout.Layout, store pki.Store, verbosity int, registry *Registry) (machine.Spec, error) {
	if err := issueCertificates(store); err != nil {
		return machine.Spec{}, err
	}
	home := l.Machine(topology.ControlPlane)
	if err := writeClients(store, home); err != nil {
		return machine.Spec{}, err
	}
	if err := os.WriteFile(filepath.Join(home, "scheduler.yaml"), []byte(schedulerConfig), 0o644); err != nil {
		return machine.Spec{}, fmt.Errorf("write scheduler configuration: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(home, "etcd"), 0o700); err != nil {
		return machine.Spec{}, fmt.Errorf("make etcd directory: %w", err)
	}
	spec := machine.Spec{
		Name: topology.ControlPlane,
		Binds: []machine.Bind{
			{Source: l.Programs(), Target: machine.BinDir},
			{Source: home, Target: machine.ConfigDir},
			{Source: l.Logs(topology.ControlPlane), Target: machine.LogDir},
			{Source: l.PKI(), Target: pkiDir},
			{Source: l.State, Target: clusterDir},
		},
		// Frames between nodes cross this bridge and need no filtering. The settings exist only if the bridge filter
		// module is loaded.
		SysctlsIfThere: map[string]string{"net/bridge/bridge-nf-call-iptables": "0", "net/bridge/bridge-nf-call-ip6tables": "0"},
		Services: []machine.Service{
			etcd(), apiServer(verbosity), controllerManager(verbosity), scheduler(verbosity), provisioner(),
		},
	}
	if registry != nil {
		return spec, registry.add(&spec, home)
	}
	return spec, nil
}

func inMachine(file string) string { return filepath.Join(machine.ConfigDir, file) }

func pkiFile(file string) string { return filepath.Join(pkiDir, file) }

func program(name string) string { return filepath.Join(machine.BinDir, "kube", name) }

// issueCertificates issues the same certificates as kubeadm, from one authority for the cluster, one for etcd and one
// for aggregation.
func issueCertificates(store pki.Store) error {
	ca, err := store.Authority("ca")
	if err != nil {
		return err
	}
	etcdCA, err := store.Authority("etcd-ca")
	if err != nil {
		return err
	}
	frontProxyCA, err := store.Authority("front-proxy-ca")
	if err != nil {
		return err
	}
	if err := store.SigningKey("service-account"); err != nil {
		return err
	}
	wanted := []struct {
		file string
		by   pki.Pair
		cert.Config
	}{
		{"apiserver", ca, cert.Config{CommonName: "kube-apiserver", Usages: pki.Server, AltNames: pki.Names(
			"127.0.0.1", "localhost", topology.ControlPlaneIP, topology.APIServiceIP,
			"kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc."+topology.Domain,
		)}},
		{"apiserver-kubelet-client", ca, cert.Config{CommonName: KubeletClientUser, Usages: pki.Client}},
		{"front-proxy-client", frontProxyCA, cert.Config{CommonName: "front-proxy-client", Usages: pki.Client}},
		{"etcd-server", etcdCA, cert.Config{CommonName: "etcd", Usages: slices.Concat(pki.Server, pki.Client), AltNames: pki.Names("127.0.0.1")}},
		{"apiserver-etcd-client", etcdCA, cert.Config{CommonName: "kube-apiserver-etcd-client", Usages: pki.Client}},
	}
	for _, w := range wanted {
		if _, err := store.Issue(w.file, w.by, w.Config); err != nil {
			return err
		}
	}
	return nil
}

func writeClients(store pki.Store, home string) error {
	ca, err := store.Authority("ca")
	if err != nil {
		return err
	}
	for file, user := range map[string]string{
		"controller-manager": "system:kube-controller-manager",
		"scheduler":          "system:kube-scheduler",
		"provisioner":        ProvisionerUser,
	} {
		pair, err := store.Issue(file, ca, cert.Config{CommonName: user, Usages: pki.Client})
		if err != nil {
			return err
		}
		if err := pair.WriteKubeconfig(filepath.Join(home, file+".kubeconfig"), Server(), ca); err != nil {
			return err
		}
	}
	return nil
}

// Server returns the URL of the API server inside the cluster's networks.
func Server() string { return fmt.Sprintf("https://%s:%d", topology.ControlPlaneIP, topology.APIPort) }
