//go:build e2e

// Package e2e starts a real cluster on the host, uses it, damages it, and stops it. It needs root, the programs of
// cluster/build.sh, and the memory of a cluster: go test -tags e2e ./e2e
package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ringside.dev/ringside/cluster/e2e/hoststate"
	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/images"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/programs"
)

const (
	instance   = "ringside-e2e"
	nodes      = 4
	probeImage = "ringside.dev/e2e-probe:1"
)

// cluster is the cluster under test.
type cluster struct {
	t     *testing.T
	bin   string
	state string
	port  int
}

func TestCluster(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	bin, err := filepath.Abs("../../build/bin")
	require.NoError(t, err)
	c := cluster{t: t, bin: bin, state: filepath.Join(t.TempDir(), "state"), port: freePort(t)}
	before, err := hoststate.Read(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			_, _ = c.tool("down") // the last test stops it too, and verifies that
		}
	})

	for _, step := range []struct {
		name string
		test func(*testing.T, cluster)
	}{
		{"RefusesBadInputBeforeItStartsAnything", refusesBadInput},
		{"NamesTheDaemonThatDoesNotStart", namesTheCulprit},
		{"BringsUpFourReadyNodes", bringsUp},
		{"StartsNothingTwice", startsNothingTwice},
		{"RefusesToTouchAnotherClonesCluster", refusesOtherClones},
		{"RefusesHostileNamesAndDirectories", refusesHostileNames},
		{"LoadsAnImageOnce", loadsImage},
		{"RunsAPodWithAVolumeOnEachNode", runsPods},
		{"ResolvesAndReachesPodsAndServices", connects},
		{"EnforcesNetworkPolicies", enforcesPolicies},
		{"LetsNoPacketOut", staysInside},
		{"ForwardsAServiceToTheHost", forwardsService},
		{"RestartsAKilledDaemon", restartsDaemon},
		{"StartsAKilledNodeAgain", restartsNode},
		{"StartsAKilledControlPlaneAgain", restartsControlPlane},
		{"RemovesAVolumesDirectoryWithItsClaim", removesVolumes},
		{"TakesOverFromADeadClonesCluster", takesOver},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			mine := c
			mine.t = t
			step.test(t, mine)
		}) {
			t.FailNow() // each step depends on the previous one
		}
	}
	t.Run("LeavesNothingBehind", func(t *testing.T) {
		c.t = t
		c.leavesNothing(before)
	})
}

func refusesBadInput(t *testing.T, c cluster) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	for _, bad := range []struct {
		name string
		args []string
		says string
	}{
		{"no nodes", []string{"up", "--nodes=0"}, "--nodes is 0"},
		{"too many nodes for the memory", []string{"up", "--nodes=64"}, "too little memory for 64 nodes: need"},
		{"a port in use", []string{"up", fmt.Sprintf("--api-port=%d", port)}, fmt.Sprintf("port %d of 127.0.0.1 is in use: choose another (API_PORT= with make, or --api-port)", port)},
		{"nothing to load into", []string{"load-image", "x.tar"}, "run 'ringside-cluster up' first"},
		{"status of nothing", []string{"status"}, "no cluster is up"},
	} {
		output, err := c.tool(bad.args...)
		assert.Error(t, err, bad.name)
		assert.Contains(t, output, bad.says, bad.name)
	}
	_, err = os.Stat(c.state)
	assert.ErrorIs(t, err, os.ErrNotExist, "nothing may be started or written")
	output, err := c.tool("down")
	assert.NoError(t, err, "down must be safe when nothing is up: %s", output)
}

func namesTheCulprit(t *testing.T, c cluster) {
	broken := filepath.Join(t.TempDir(), "bin")
	require.NoError(t, programs.Keep(c.bin, broken))
	script := "#!/bin/sh\necho the disk is on fire\nexit 7\n"
	require.NoError(t, os.Remove(filepath.Join(broken, "kube/etcd")))
	require.NoError(t, os.WriteFile(filepath.Join(broken, "kube/etcd"), []byte(script), 0o755))

	output, err := c.tool("up", fmt.Sprintf("--api-port=%d", c.port), "--nodes=1", "--bin="+broken)
	require.Error(t, err)
	assert.Contains(t, output, "etcd on control-plane keeps ending (exited with code 7)")
	assert.Contains(t, output, filepath.Join(c.state, "logs/control-plane/etcd.log"))
	assert.Contains(t, output, "the disk is on fire")
	c.mustTool("down")
}

func bringsUp(t *testing.T, c cluster) {
	// A disk that the host unmounts while the cluster runs. Mounts propagate if the parent mount is shared, as all are
	// under systemd.
	media := t.TempDir()
	disk := filepath.Join(media, "disk")
	require.NoError(t, unix.Mount("tmpfs", media, "tmpfs", 0, ""))
	defer func() { _ = unix.Unmount(media, unix.MNT_DETACH) }()
	require.NoError(t, unix.Mount("", media, "", unix.MS_SHARED, ""))
	require.NoError(t, os.Mkdir(disk, 0o755))
	require.NoError(t, unix.Mount("tmpfs", disk, "tmpfs", 0, ""))
	c.mustTool("up", fmt.Sprintf("--api-port=%d", c.port))
	require.NoError(t, unix.Unmount(disk, 0))
	mounts, err := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", c.machines()["node1"].PID))
	require.NoError(t, err)
	assert.Contains(t, string(mounts), media)
	assert.NotContains(t, string(mounts), disk, "a machine must not keep it in use")
	ready := c.kubectl("get", "nodes", "-o", `jsonpath={range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].status} {end}`)
	assert.Equal(t, "node1=True node2=True node3=True node4=True ", ready)
	version := c.kubectl("get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}")
	assert.Equal(t, strings.Join(slices.Repeat([]string{builtVersion(t)}, nodes), " "), version)
	kinds := strings.Fields(c.kubectl("get", "nodes", "-o", `jsonpath={.items[*].metadata.labels.ringside\.dev/disk}`))
	require.Len(t, kinds, nodes)
	assert.Contains(t, []string{"ssd", "hdd"}, kinds[0])
	status := c.mustTool("status")
	assert.Contains(t, status, "node4          ready")
	assert.Contains(t, status, "certificates   good")
	assert.Contains(t, status, "network policies: 0 for 0 pods")
}

// builtVersion returns the version of Kubernetes in go.mod.
func builtVersion(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	version := regexp.MustCompile(`k8s\.io/kubernetes (v\S+)`).FindSubmatch(text)
	require.NotNil(t, version)
	return string(version[1])
}

func startsNothingTwice(t *testing.T, c cluster) {
	before := c.machines()
	output := c.mustTool("up")
	assert.Equal(t, before, c.machines())
	assert.NotContains(t, output, "starting")
}

func refusesOtherClones(t *testing.T, c cluster) {
	other := c
	other.state = filepath.Join(t.TempDir(), "other")
	for _, command := range []string{"up", "down"} {
		output, err := other.tool(command)
		assert.Error(t, err, command)
		assert.Contains(t, output, "another clone", command)
		assert.Contains(t, output, c.state, command)
	}
}

// refusesHostileNames runs commands with empty or mistyped arguments while a cluster runs.
func refusesHostileNames(t *testing.T, c cluster) {
	before := c.machines()
	other := t.TempDir()
	kept := filepath.Join(other, "images", "kept")
	require.NoError(t, os.MkdirAll(kept, 0o755))
	for _, flags := range [][]string{
		{"--instance=", "--state=" + c.state},
		{"--instance=..", "--state=" + c.state},
		{"--instance=system.slice", "--state=" + c.state},
		{"--instance=" + instance + "-other", "--state=" + c.state},
		{"--instance=" + instance + "-other", "--state=" + other},
		{"--instance=" + instance + "-other", "--state="},
		{"--instance=" + instance + "-other", "--state=/"},
	} {
		output, err := exec.Command(filepath.Join(c.bin, "ringside-cluster"), append(flags, "down")...).CombinedOutput()
		assert.Error(t, err, "%v", flags)
		assert.Equal(t, 1, strings.Count(string(output), "\n"), "%v: one line: %s", flags, output)
	}
	for name, process := range before {
		assert.True(t, process.Alive(), name)
	}
	assert.DirExists(t, filepath.Join(c.state, "machines"))
	assert.DirExists(t, kept)
}

func loadsImage(t *testing.T, c cluster) {
	program := filepath.Join(t.TempDir(), "probe")
	build := exec.Command("go", "build", "-o", program, "./probe")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	output, err := build.CombinedOutput()
	require.NoError(t, err, "%s", output)
	archive := filepath.Join(t.TempDir(), "probe.tar")
	require.NoError(t, images.BuildScratch(archive, probeImage, program, "1000:1000"))

	assert.Contains(t, c.mustTool("load-image", archive), "loaded into all nodes")
	assert.Contains(t, c.mustTool("load-image", archive), "present on all nodes")

	torn := filepath.Join(t.TempDir(), "torn.tar")
	require.NoError(t, os.WriteFile(torn, []byte("no image"), 0o600))
	text, err := c.tool("load-image", torn)
	assert.Error(t, err)
	assert.Contains(t, text, "not a tar archive")
}

// volumes are the mount paths of the volumes in a pod of the store.
var volumes = []string{"/data", "/own"}

func runsPods(t *testing.T, c cluster) {
	c.apply(storeHere())
	c.kubectl("-n", "e2e", "rollout", "status", "statefulset/store", "--timeout=120s")
	on := strings.Fields(c.kubectl("-n", "e2e", "get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}"))
	assert.ElementsMatch(t, []string{"node1", "node2", "node3", "node4"}, on)
	for i := range nodes {
		for _, volume := range volumes {
			c.probe(i, "write", volume+"/name", fmt.Sprintf("store-%d", i))
			assert.Equal(t, fmt.Sprintf("store-%d", i), c.probe(i, "read", volume+"/name"))
		}
		if !loops() {
			continue
		}
		assert.Regexp(t, ` 7:[0-9]+ / /own `, c.probe(i, "read", "/proc/self/mountinfo"), "a file system of its own, on a loop device")
	}
	assert.Len(t, c.volumeDirectories(), len(volumes)*nodes)
	assert.Contains(t, c.kubectl("-n", "e2e", "logs", "store-2"), "serving as store-2")
}

func connects(t *testing.T, c cluster) {
	// The pods are on different nodes, so each request crosses the cluster's network.
	assert.Equal(t, "store-1", c.probe(0, "get", "http://store-1.store.e2e.svc.cluster.local:8080"))
	assert.Equal(t, "store-3", c.probe(2, "get", "http://store-3.store:8080"))
	address := c.kubectl("-n", "e2e", "get", "service", "front", "-o", "jsonpath={.spec.clusterIP}")
	assert.Equal(t, "["+address+"]", c.probe(1, "resolve", "front"))
	assert.Contains(t, c.probe(1, "get", "http://"+address+":80"), "store-")
	for range 2 * nodes { // includes the pod's own node, and the pod itself
		assert.Contains(t, c.probe(3, "get", "http://front"), "store-")
	}
	// A restricted namespace rejects a privileged pod: admission works.
	_, err := c.tryKubectl(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"bad","namespace":"e2e"},"spec":{"hostNetwork":true,"containers":[{"name":"c","image":"x"}]}}`, "apply", "-f", "-")
	assert.ErrorContains(t, err, "violates PodSecurity")
	assert.Equal(t, "no", strings.TrimSpace(c.kubectlAnyway("auth", "can-i", "delete", "nodes", "--as=system:node:node1", "--as-group=system:nodes")))
}

func staysInside(t *testing.T, c cluster) {
	host, err := net.InterfaceAddrs()
	require.NoError(t, err)
	targets := []string{"192.0.2.1:80"}
	for _, address := range host {
		if ip, _, err := net.ParseCIDR(address.String()); err == nil && ip.To4() != nil && !ip.IsLoopback() {
			targets = append(targets, net.JoinHostPort(ip.String(), "22"))
		}
	}
	for _, target := range targets {
		_, err := c.tryKubectl("", "-n", "e2e", "exec", "store-0", "--", "/probe", "dial", target)
		assert.ErrorContains(t, err, "unreachable", target)
	}
}

func forwardsService(t *testing.T, c cluster) {
	port := freePort(t)
	c.mustTool("forward", "front", fmt.Sprint(port), "front.e2e.svc.cluster.local:80")
	response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d", port))
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Contains(t, string(body), "store-")
	c.mustTool("forward", "remove", "front")
	_, err = net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
	assert.ErrorIs(t, err, syscall.ECONNREFUSED)
}

func restartsDaemon(t *testing.T, c cluster) {
	before := c.service("node2", "kubelet")
	c.killInside("node2", before.PID)
	require.Eventually(t, func() bool {
		now := c.service("node2", "kubelet")
		return now.Running && now.PID != before.PID
	}, 30*time.Second, 50*time.Millisecond)
	c.mustTool("up")
	c.mustTool("status")
}

func restartsNode(t *testing.T, c cluster) {
	before := c.machines()
	require.NoError(t, syscall.Kill(before["node3"].PID, syscall.SIGKILL))
	require.Eventually(t, func() bool { return !before["node3"].Alive() }, 30*time.Second, 20*time.Millisecond)
	output, err := c.tool("status")
	assert.Error(t, err)
	assert.Contains(t, output, "down")
	assert.Contains(t, c.mustTool("up"), "node3: starting")
	c.mustTool("status")
	assert.Equal(t, before["node1"], c.machines()["node1"], "the other nodes must not be disturbed")
	c.everyPodServes()
}

func restartsControlPlane(t *testing.T, c cluster) {
	before := c.machines()
	require.NoError(t, syscall.Kill(before["control-plane"].PID, syscall.SIGKILL))
	require.Eventually(t, func() bool { return !before["control-plane"].Alive() }, 30*time.Second, 20*time.Millisecond)
	c.mustTool("up")
	c.mustTool("status")
	for i := range nodes {
		name := fmt.Sprintf("node%d", i+1)
		assert.Equal(t, before[name], c.machines()[name])
	}
	c.everyPodServes()
}

func removesVolumes(t *testing.T, c cluster) {
	c.kubectl("delete", "namespace", "e2e", "--timeout=120s")
	require.Eventually(t, func() bool { return len(c.volumeDirectories()) == 0 }, 60*time.Second, 100*time.Millisecond)
	require.Eventually(t, func() bool { return c.kubectl("get", "persistentvolumes", "-o", "name") == "" }, 60*time.Second, 250*time.Millisecond)
}

// takesOver kills all machines. The process of the API server's forward survives and occupies its port.
func takesOver(t *testing.T, c cluster) {
	for name, process := range c.machines() {
		require.NoError(t, syscall.Kill(process.PID, syscall.SIGKILL), name)
		require.Eventually(t, func() bool { return !process.Alive() }, 30*time.Second, 20*time.Millisecond, name)
	}
	other := c
	other.state = filepath.Join(t.TempDir(), "other")
	output := other.mustTool("up", "--nodes=1", fmt.Sprintf("--api-port=%d", c.port))
	assert.Contains(t, output, "removing remains of the dead cluster of "+c.state)
	other.mustTool("down")
	assert.DirExists(t, filepath.Join(c.state, "machines"), "the other clone's files are its own")
}

func (c cluster) leavesNothing(before hoststate.State) {
	t := c.t
	output := c.mustTool("down")
	assert.Contains(t, output, "no process, mount, control group or file of the cluster is left")
	after, err := hoststate.Read(t.Context())
	require.NoError(t, err)
	assert.Empty(t, hoststate.Differences(before, after, nil))
	assert.Empty(t, processes(t, "/nonexistent", instance, c.state))
	tree, err := cgroup.Open(t.TempDir())
	require.NoError(t, err)
	assert.Empty(t, tree.Remaining(layout.CgroupBase+"/"+instance))
	assert.NoDirExists(t, c.state)
	c.mustTool("down") // a second time has no effect
}

// everyPodServes waits until each pod answers and still has the data on its volumes.
func (c cluster) everyPodServes() {
	c.t.Helper()
	for i := range nodes {
		name := fmt.Sprintf("store-%d", i)
		var last error
		require.Eventually(c.t, func() bool {
			for _, volume := range volumes {
				var content string
				content, last = c.tryKubectl("", "-n", "e2e", "exec", name, "--", "/probe", "read", volume+"/name")
				if last != nil || content != name {
					return false
				}
			}
			return true
		}, 120*time.Second, time.Second, "%s: %v", name, last)
		other := (i + 1) % nodes
		require.Eventually(c.t, func() bool {
			var content string
			content, last = c.tryKubectl("", "-n", "e2e", "exec", name, "--", "/probe", "get", fmt.Sprintf("http://store-%d.store:8080", other))
			return last == nil && content == fmt.Sprintf("store-%d", other)
		}, 120*time.Second, time.Second, "%s: %v", name, last)
	}
}

func (c cluster) tool(args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(c.bin, "ringside-cluster"), append([]string{"--instance=" + instance, "--state=" + c.state}, args...)...)
	output, err := cmd.CombinedOutput()
	c.t.Logf("ringside-cluster %s\n%s", strings.Join(args, " "), output)
	return string(output), err
}

func (c cluster) mustTool(args ...string) string {
	c.t.Helper()
	output, err := c.tool(args...)
	require.NoError(c.t, err, "ringside-cluster %v: %s", args, output)
	return output
}

func (c cluster) tryKubectl(input string, args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(c.bin, "kube/kubectl"), append([]string{"--kubeconfig=" + filepath.Join(c.state, "kubeconfig"), "--cache-dir=" + filepath.Join(c.state, "kubectl-cache")}, args...)...)
	cmd.Stdin = strings.NewReader(input)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	output, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("kubectl %v: %w: %s", args, err, complaint.String())
	}
	return string(output), err
}

func (c cluster) kubectl(args ...string) string {
	c.t.Helper()
	output, err := c.tryKubectl("", args...)
	require.NoError(c.t, err)
	return output
}

// kubectlAnyway runs commands whose exit code is part of the answer.
func (c cluster) kubectlAnyway(args ...string) string {
	output, _ := c.tryKubectl("", args...)
	return output
}

func (c cluster) apply(manifest string) {
	c.t.Helper()
	_, err := c.tryKubectl(manifest, "apply", "-f", "-")
	require.NoError(c.t, err)
}

// probe runs a command in the pod on one of the nodes.
func (c cluster) probe(pod int, args ...string) string {
	c.t.Helper()
	return c.kubectl(append([]string{"-n", "e2e", "exec", fmt.Sprintf("store-%d", pod), "--", "/probe"}, args...)...)
}

func (c cluster) machines() map[string]machine.Process {
	c.t.Helper()
	found := map[string]machine.Process{}
	for _, name := range []string{"control-plane", "node1", "node2", "node3", "node4"} {
		process, err := machine.Recorded("/run/ringside-cluster/"+instance, name)
		require.NoError(c.t, err)
		found[name] = process
	}
	return found
}

func (c cluster) service(machineName, name string) machine.ServiceStatus {
	c.t.Helper()
	services, err := c.machines()[machineName].Services()
	require.NoError(c.t, err)
	for _, s := range services {
		if s.Name == name {
			return s
		}
	}
	require.Fail(c.t, "no such service", "%s on %s", name, machineName)
	return machine.ServiceStatus{}
}

// killInside kills a process by its id in the machine's PID namespace.
func (c cluster) killInside(machineName string, pid int) {
	c.t.Helper()
	init := c.machines()[machineName].PID
	run(c.t, "nsenter", "--pid", fmt.Sprintf("--target=%d", init), "kill", "-9", fmt.Sprint(pid))
}

func (c cluster) volumeDirectories() []string {
	found, err := filepath.Glob(filepath.Join(c.state, "machines/*/var/lib/ringside/volumes/*"))
	require.NoError(c.t, err)
	return found
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
