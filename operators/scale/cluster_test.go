package scale

import (
	"context"
	_ "embed" // the configuration of KWOK
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/apiserver"
	"ringside.dev/ringside/operators/internal/operator"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/storechart"
)

// operatorUser is the account that distinguishes the operator's requests from those of the simulation.
const operatorUser = "ringside-operator"

// Binaries are the programs and folders of the simulation.
type Binaries struct {
	// Kube is a folder with etcd, kube-apiserver, kube-controller-manager and kube-scheduler.
	Kube string
	// KWOK, Operator and Ringside are programs.
	KWOK, Operator, Ringside string
	// Charts and Loads are the folders in the operator's image. CRDs is the folder of the CRDs.
	Charts, Loads, CRDs string
}

// cluster is a real control plane with simulated nodes.
type cluster struct {
	binaries    Binaries
	folder      string
	environment *envtest.Environment
	config      *rest.Config
	client      client.WithWatch
	processes   []*process
	// admin and operator are kubeconfigs.
	admin, operator, auditLog string
	nodes                     int
}

//go:embed kwok.yaml
var stages string

// startCluster starts a cluster in a folder, for stores of the given chart.
func startCluster(ctx context.Context, binaries Binaries, folder string, proof string) (_ *cluster, err error) {
	c := &cluster{binaries: binaries, folder: folder, auditLog: filepath.Join(folder, "audit.log"), admin: filepath.Join(folder, "admin.kubeconfig"), operator: filepath.Join(folder, "operator.kubeconfig")}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.stop())
		}
	}()
	if err := c.startControlPlane(); err != nil {
		return c, err
	}
	scheme, err := operator.Scheme()
	if err != nil {
		return c, err
	}
	if c.client, err = client.NewWithWatch(c.config, client.Options{Scheme: scheme}); err != nil {
		return c, fmt.Errorf("reach the API server: %w", err)
	}
	if err := c.startControllers(ctx); err != nil {
		return c, err
	}
	if err := c.showOperator(ctx); err != nil {
		return c, err
	}
	return c, c.startKWOK(ctx, proof)
}

// showOperator creates the objects by which the command finds the operator, which is a process here and not a pod.
func (c *cluster) showOperator(ctx context.Context) error {
	labels := map[string]string(runs.OperatorLabels())
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: "ringside", Labels: labels}, Spec: appsv1.DeploymentSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "operator", Image: "simulated"}}}}}}
	if err := c.client.Create(ctx, deployment); err != nil {
		return fmt.Errorf("show the operator: %w", err)
	}
	deployment.Status = appsv1.DeploymentStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1}
	if err := c.client.Status().Update(ctx, deployment); err != nil {
		return fmt.Errorf("show the operator: %w", err)
	}
	return nil
}

func (c *cluster) startControlPlane() error {
	policy := filepath.Join(c.folder, "audit-policy.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return fmt.Errorf("write the audit policy: %w", err)
	}
	const patience = 2 * time.Minute
	c.environment = &envtest.Environment{BinaryAssetsDirectory: c.binaries.Kube, CRDDirectoryPaths: []string{c.binaries.CRDs}, ErrorIfCRDPathMissing: true,
		ControlPlaneStartTimeout: patience, ControlPlaneStopTimeout: patience}
	c.environment.ControlPlane.Etcd = &envtest.Etcd{}
	// No data have to survive a loss of power. The simulation needs more space than etcd's default.
	c.environment.ControlPlane.Etcd.Configure().Set("unsafe-no-fsync", "true").Set("quota-backend-bytes", "8589934592")
	// No node controller removes taints.
	c.environment.ControlPlane.GetAPIServer().Configure().Append("disable-admission-plugins", "TaintNodesByCondition").
		Set("audit-policy-file", policy).Set("audit-log-path", c.auditLog).Set("kubelet-preferred-address-types", "InternalIP")
	var err error
	if c.config, err = apiserver.Start(c.environment); err != nil {
		return fmt.Errorf("start the API server: %w", err)
	}
	c.config.QPS, c.config.Burst = -1, -1
	account, err := c.environment.AddUser(envtest.User{Name: operatorUser, Groups: []string{"system:masters"}}, nil)
	if err != nil {
		return fmt.Errorf("make the operator's account: %w", err)
	}
	kubeconfig, err := account.KubeConfig()
	if err != nil {
		return fmt.Errorf("make the operator's account: %w", err)
	}
	return errors.Join(os.WriteFile(c.operator, kubeconfig, 0o600), os.WriteFile(c.admin, c.environment.KubeConfig, 0o600))
}

// startControllers starts the real controllers that create and schedule the pods of workloads.
func (c *cluster) startControllers(ctx context.Context) error {
	err := c.run(ctx, "kube-controller-manager", filepath.Join(c.binaries.Kube, "kube-controller-manager"), "--kubeconfig="+c.admin, "--leader-elect=false", "--secure-port=0",
		"--controllers=statefulset-controller,job-controller,endpointslice-controller,garbage-collector-controller,ttl-after-finished-controller", "--kube-api-qps=500", "--kube-api-burst=1000")
	if err != nil {
		return err
	}
	scheduler := filepath.Join(c.folder, "scheduler.yaml")
	settings := fmt.Sprintf("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nleaderElection: {leaderElect: false}\nclientConnection: {kubeconfig: %q, qps: 500, burst: 1000}\n", c.admin)
	if err := os.WriteFile(scheduler, []byte(settings), 0o600); err != nil {
		return fmt.Errorf("write the scheduler's settings: %w", err)
	}
	return c.run(ctx, "kube-scheduler", filepath.Join(c.binaries.Kube, "kube-scheduler"), "--config="+scheduler, "--secure-port=0")
}

// startKWOK starts KWOK with nodes whose pods all log the same proof.
func (c *cluster) startKWOK(ctx context.Context, proof string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	log, settings := filepath.Join(c.folder, "proof.log"), filepath.Join(c.folder, "kwok.yaml")
	logs, err := json.Marshal(map[string]any{"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "ClusterLogs", "metadata": map[string]string{"name": "proofs"},
		"spec": map[string]any{"logs": []any{map[string]any{"logsFile": log}}}})
	if err != nil {
		return fmt.Errorf("write KWOK's settings: %w", err)
	}
	if err := errors.Join(os.WriteFile(log, []byte(proof), 0o600), os.WriteFile(settings, []byte(stages+"---\n"+string(logs)+"\n"), 0o600)); err != nil {
		return fmt.Errorf("write KWOK's settings: %w", err)
	}
	return c.run(ctx, "kwok", c.binaries.KWOK, "--kubeconfig="+c.admin, "--config="+settings, "--manage-all-nodes", "--node-ip=127.0.0.1", "--cidr=10.0.0.1/16",
		"--node-lease-duration-seconds=0", fmt.Sprintf("--node-port=%d", port), fmt.Sprintf("--server-address=127.0.0.1:%d", port))
}

func (c *cluster) run(ctx context.Context, name, program string, args ...string) error {
	p, err := start(ctx, c.folder, name, program, nil, args...)
	if err != nil {
		return err
	}
	c.processes = append(c.processes, p)
	return nil
}

// alive returns an error that names a program that has ended; nil if all run.
func (c *cluster) alive() error {
	for _, p := range c.processes {
		if err := p.alive(); err != nil {
			return err
		}
	}
	return nil
}

// grow creates nodes up to the given number, and waits until all are ready.
func (c *cluster) grow(ctx context.Context, nodes int) error {
	group, making := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for ; c.nodes < nodes; c.nodes++ {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%d", c.nodes), Labels: map[string]string{v1alpha1.LabelDisk: "ssd", corev1.LabelHostname: fmt.Sprintf("node-%d", c.nodes)}}}
		group.Go(func() error { return c.client.Create(making, node) })
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("make nodes: %w", err)
	}
	return c.until(ctx, fmt.Sprintf("%d nodes are ready", nodes), func(ctx context.Context) (bool, error) {
		var all corev1.NodeList
		if err := c.client.List(ctx, &all); err != nil {
			return false, err
		}
		ready := 0
		for _, node := range all.Items {
			for _, condition := range node.Status.Conditions {
				if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
					ready++
				}
			}
		}
		return ready == nodes, nil
	})
}

// until waits until the condition holds, while all programs run.
func (c *cluster) until(ctx context.Context, what string, holds func(context.Context) (bool, error)) error {
	const patience, interval = 30 * time.Minute, 200 * time.Millisecond
	err := wait.PollUntilContextTimeout(ctx, interval, patience, true, func(ctx context.Context) (bool, error) {
		if err := c.alive(); err != nil {
			return false, err
		}
		return holds(ctx)
	})
	if err != nil {
		return fmt.Errorf("wait until %s: %w", what, err)
	}
	return nil
}

// stop stops all programs in reverse order.
func (c *cluster) stop() error {
	for i := range c.processes {
		c.processes[len(c.processes)-1-i].stop()
	}
	return c.environment.Stop()
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	address, _ := listener.Addr().(*net.TCPAddr)
	return address.Port, listener.Close()
}

// proofs returns the log of a store's container: the proofs of its servers, each with the class in the chart's
// annotation, and with the settings of a JVM.
func proofs(charts string) (string, error) {
	chart, err := storechart.NewCatalogue(charts).Open("stub")
	if err != nil {
		return "", err
	}
	var log strings.Builder
	for _, server := range servers {
		line, err := json.Marshal(map[string]any{"server": server, "class": chart.ExpectedClass(server), "plugin_sha256": strings.Repeat("b", 64),
			"environment": map[string]string{"jvm": "OpenJDK 64-Bit Server VM 1.8.0_504", "heap_max_bytes": "1226833920", "jvm_flags": strings.Repeat("-XX:+AnOptionOfTheJVM ", 70)}})
		if err != nil {
			return "", fmt.Errorf("write a proof: %w", err)
		}
		fmt.Fprintf(&log, "2026-11-21T00:15:00.000000000Z stdout F INFO %s%s\n", v1alpha1.ProofMark, line)
	}
	return log.String(), nil
}
