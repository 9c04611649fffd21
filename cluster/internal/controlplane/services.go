package controlplane

import (
	"fmt"
	"path/filepath"

	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/topology"
)

const (
	etcdEndpoint = "https://127.0.0.1:2379"
	// ProvisionerCommand is the hidden command that runs the volume provisioner.
	ProvisionerCommand = "provision"
)

// APIServerSocket returns the endpoint that daemons wait for if they need the API server.
func APIServerSocket() string {
	return fmt.Sprintf("tcp:%s:%d", topology.ControlPlaneIP, topology.APIPort)
}

// etcd runs a single member without fsync: the cluster serves experiments, can be created again in half a minute, and
// must not compete for the disk with the stores that are measured.
func etcd() machine.Service {
	return machine.Service{Name: "etcd", Env: machine.Frugal(), Args: []string{
		program("etcd"),
		"--name=" + topology.ControlPlane,
		"--data-dir=" + inMachine("etcd"),
		"--listen-client-urls=" + etcdEndpoint,
		"--advertise-client-urls=" + etcdEndpoint,
		"--listen-peer-urls=http://127.0.0.1:2380",
		"--initial-advertise-peer-urls=http://127.0.0.1:2380",
		"--initial-cluster=" + topology.ControlPlane + "=http://127.0.0.1:2380",
		"--client-cert-auth=true",
		"--trusted-ca-file=" + pkiFile("etcd-ca.crt"),
		"--cert-file=" + pkiFile("etcd-server.crt"),
		"--key-file=" + pkiFile("etcd-server.key"),
		"--unsafe-no-fsync=true",
		"--snapshot-count=10000",
		"--quota-backend-bytes=2147483648",
		"--log-level=warn",
	}}
}

func apiServer(verbosity int) machine.Service {
	return machine.Service{Name: "kube-apiserver", Env: machine.Frugal(), WaitFor: []string{"tcp:127.0.0.1:2379"}, Args: []string{
		program("kube-apiserver"),
		"--advertise-address=" + topology.ControlPlaneIP,
		fmt.Sprintf("--secure-port=%d", topology.APIPort),
		"--service-cluster-ip-range=" + topology.ServiceCIDR,
		"--etcd-servers=" + etcdEndpoint,
		"--etcd-cafile=" + pkiFile("etcd-ca.crt"),
		"--etcd-certfile=" + pkiFile("apiserver-etcd-client.crt"),
		"--etcd-keyfile=" + pkiFile("apiserver-etcd-client.key"),
		"--tls-cert-file=" + pkiFile("apiserver.crt"),
		"--tls-private-key-file=" + pkiFile("apiserver.key"),
		"--client-ca-file=" + pkiFile("ca.crt"),
		"--authorization-mode=Node,RBAC",
		"--enable-admission-plugins=NodeRestriction",
		"--kubelet-client-certificate=" + pkiFile("apiserver-kubelet-client.crt"),
		"--kubelet-client-key=" + pkiFile("apiserver-kubelet-client.key"),
		"--kubelet-certificate-authority=" + pkiFile("ca.crt"),
		"--kubelet-preferred-address-types=InternalIP",
		"--service-account-issuer=https://kubernetes.default.svc." + topology.Domain,
		"--service-account-key-file=" + pkiFile("service-account.pub"),
		"--service-account-signing-key-file=" + pkiFile("service-account.key"),
		"--requestheader-client-ca-file=" + pkiFile("front-proxy-ca.crt"),
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-username-headers=X-Remote-User",
		"--proxy-client-cert-file=" + pkiFile("front-proxy-client.crt"),
		"--proxy-client-key-file=" + pkiFile("front-proxy-client.key"),
		// This machine has no kube-proxy: the API server calls webhooks and aggregated APIs at their pods' addresses.
		"--enable-aggregator-routing=true",
		"--profiling=false",
		fmt.Sprintf("--v=%d", verbosity),
	}}
}

func controllerManager(verbosity int) machine.Service {
	client := inMachine("controller-manager.kubeconfig")
	return machine.Service{Name: "kube-controller-manager", Env: machine.Modest(), TimerSlack: machine.Leisurely, WaitFor: []string{APIServerSocket()}, Args: []string{
		program("kube-controller-manager"),
		"--kubeconfig=" + client,
		"--authentication-kubeconfig=" + client,
		"--authorization-kubeconfig=" + client,
		"--bind-address=127.0.0.1",
		"--leader-elect=false",
		"--use-service-account-credentials=true",
		"--service-account-private-key-file=" + pkiFile("service-account.key"),
		"--root-ca-file=" + pkiFile("ca.crt"),
		"--cluster-signing-cert-file=" + pkiFile("ca.crt"),
		"--cluster-signing-key-file=" + pkiFile("ca.key"),
		// The horizontal pod autoscaler is disabled because there is no metrics API. The cloud controllers disable
		// themselves; naming them would make Kubernetes 1.37, which has removed them, exit.
		"--controllers=*,-horizontal-pod-autoscaler-controller",
		"--profiling=false",
		fmt.Sprintf("--v=%d", verbosity),
	}}
}

// schedulerConfig disables leader election: there is one scheduler.
const schedulerConfig = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection:
  leaderElect: false
clientConnection:
  kubeconfig: ` + machine.ConfigDir + `/scheduler.kubeconfig
enableProfiling: false
`

func scheduler(verbosity int) machine.Service {
	client := inMachine("scheduler.kubeconfig")
	return machine.Service{Name: "kube-scheduler", Env: machine.Modest(), TimerSlack: machine.Leisurely, WaitFor: []string{APIServerSocket()}, Args: []string{
		program("kube-scheduler"),
		"--config=" + inMachine("scheduler.yaml"),
		"--authentication-kubeconfig=" + client,
		"--authorization-kubeconfig=" + client,
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--v=%d", verbosity),
	}}
}

func provisioner() machine.Service {
	return machine.Service{Name: "provisioner", WaitFor: []string{APIServerSocket()}, Args: []string{
		filepath.Join(machine.BinDir, "ringside-cluster"), ProvisionerCommand,
		"--kubeconfig=" + inMachine("provisioner.kubeconfig"),
		"--machines=" + filepath.Join(clusterDir, "machines"),
	}}
}
