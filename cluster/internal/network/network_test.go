package network

import (
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"ringside.dev/ringside/cluster/internal/namespaces"
	"ringside.dev/ringside/cluster/internal/topology"
)

func bridgeAddress(t *testing.T, pid int) string {
	t.Helper()
	ns, err := enter(pid)
	require.NoError(t, err)
	defer ns.Close()
	bridge, err := ns.LinkByName(bridgeName)
	require.NoError(t, err)
	return bridge.Attrs().HardwareAddr.String()
}

func TestNodesReachTheControlPlaneWhileOthersArePluggedIn(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: makes network namespaces")
	}
	runtime.LockOSThread() // the namespaces' processes end with the thread that started them
	defer runtime.UnlockOSThread()
	center := namespaces.New(t)
	require.NoError(t, SetUpControlPlane(center))
	require.NoError(t, SetUpControlPlane(center), "again does no harm")
	var listener net.Listener
	require.NoError(t, namespaces.Within(center, func() (err error) {
		listener, err = net.Listen("tcp4", topology.ControlPlaneIP+":6443")
		return err
	}))
	defer listener.Close()

	address := bridgeAddress(t, center)
	nodes := topology.Nodes(4)
	pids := make([]int, len(nodes))
	for i, node := range nodes {
		pids[i] = namespaces.New(t)
		require.NoError(t, Connect(center, pids[i], node, nodes))
		require.NoError(t, Connect(center, pids[i], node, nodes), "again does no harm")
		// The neighbour entries of the nodes for the control plane must stay valid.
		assert.Equal(t, address, bridgeAddress(t, center))
		for _, pid := range pids[:i+1] {
			assert.NoError(t, namespaces.Within(pid, func() error {
				connection, err := net.DialTimeout("tcp4", listener.Addr().String(), 5*time.Second)
				if err != nil {
					return err
				}
				return connection.Close()
			}))
		}
	}
	err := namespaces.Within(pids[0], func() error {
		_, err := net.DialTimeout("tcp4", "192.0.2.1:80", 5*time.Second)
		return err
	})
	assert.ErrorIs(t, err, syscall.ENETUNREACH, "there is no way out")
}

func TestPlugsInAnewAfterAnEndHasDied(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: makes network namespaces")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	nodes := topology.Nodes(1)
	center, node := namespaces.New(t), namespaces.New(t)
	require.NoError(t, SetUpControlPlane(center))
	require.NoError(t, Connect(center, node, nodes[0], nodes))

	reborn := namespaces.New(t) // while the kernel still removes the old one
	require.NoError(t, Connect(center, reborn, nodes[0], nodes))

	newCenter := namespaces.New(t)
	require.NoError(t, SetUpControlPlane(newCenter))
	require.NoError(t, Connect(newCenter, reborn, nodes[0], nodes))
}

// podAddress returns an address in the node's pod subnet, which the test assigns to the node itself.
func podAddress(n topology.Node) string {
	ip, _, _ := net.ParseCIDR(n.PodSubnet) // topology's values are valid
	ip = ip.To4()
	ip[3] = 7
	return ip.String()
}

// twoNodes returns two nodes that are connected by the bridge, each with an address in its pod subnet.
func twoNodes(t testing.TB) (pids []int, nodes []topology.Node) {
	t.Helper()
	nodes = topology.Nodes(2)
	center := namespaces.New(t)
	require.NoError(t, SetUpControlPlane(center))
	for _, node := range nodes {
		pid := namespaces.New(t)
		pids = append(pids, pid)
		require.NoError(t, Connect(center, pid, node, nodes))
		require.NoError(t, namespaces.Within(pid, func() error { return os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0) }))
		ns, err := enter(pid)
		require.NoError(t, err)
		lo, err := ns.LinkByName("lo")
		require.NoError(t, err)
		require.NoError(t, ns.AddrAdd(lo, &netlink.Addr{IPNet: &net.IPNet{IP: net.ParseIP(podAddress(node)).To4(), Mask: net.CIDRMask(32, 32)}}))
		ns.Close()
	}
	return pids, nodes
}

// pingPong returns the CPU time and the elapsed time of a number of round trips of 100 bytes between the pods of two
// nodes.
func pingPong(t testing.TB, pids []int, nodes []topology.Node, rounds int) (cpu, wall time.Duration) {
	t.Helper()
	var listener net.Listener
	require.NoError(t, namespaces.Within(pids[1], func() (err error) {
		listener, err = net.Listen("tcp4", podAddress(nodes[1])+":0")
		return err
	}))
	defer listener.Close()
	go func() {
		connection, err := listener.Accept()
		if err == nil {
			defer connection.Close()
			_, _ = io.Copy(connection, connection)
		}
	}()
	var client net.Conn
	require.NoError(t, namespaces.Within(pids[0], func() (err error) {
		from := &net.TCPAddr{IP: net.ParseIP(podAddress(nodes[0]))}
		client, err = (&net.Dialer{LocalAddr: from, Timeout: 5 * time.Second}).Dial("tcp4", listener.Addr().String())
		return err
	}))
	defer client.Close()
	message := make([]byte, 100)
	before, started := used(t), time.Now()
	for range rounds {
		_, err := client.Write(message)
		require.NoError(t, err)
		_, err = io.ReadFull(client, message)
		require.NoError(t, err)
	}
	return used(t) - before, time.Since(started)
}

func used(t testing.TB) time.Duration {
	t.Helper()
	var usage unix.Rusage
	require.NoError(t, unix.Getrusage(unix.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func sentOver(t *testing.T, pid int, link string) uint64 {
	t.Helper()
	ns, err := enter(pid)
	require.NoError(t, err)
	defer ns.Close()
	l, err := ns.LinkByName(link)
	require.NoError(t, err)
	return l.Attrs().Statistics.TxPackets
}

func TestPodsOfTwoNodesMeetOverTheirOwnCable(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: makes network namespaces")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pids, nodes := twoNodes(t)
	pingPong(t, pids, nodes, 1)
	require.NoError(t, ConnectDirectly(pids[0], pids[1], nodes[0], nodes[1]))
	require.NoError(t, ConnectDirectly(pids[0], pids[1], nodes[0], nodes[1]), "again does no harm")
	require.NoError(t, ConnectDirectly(pids[1], pids[0], nodes[1], nodes[0]), "nor the other way round")
	bridge, direct := sentOver(t, pids[0], uplinkName), sentOver(t, pids[0], "node2")
	pingPong(t, pids, nodes, 100)
	assert.Less(t, sentOver(t, pids[0], uplinkName)-bridge, uint64(50), "nothing but strays over the bridge")
	assert.GreaterOrEqual(t, sentOver(t, pids[0], "node2")-direct, uint64(100))
}

func TestANodeThatIsStartedAgainGetsANewCable(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: makes network namespaces")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pids, nodes := twoNodes(t)
	require.NoError(t, ConnectDirectly(pids[0], pids[1], nodes[0], nodes[1]))
	reborn := namespaces.New(t) // while the kernel still removes the old one
	ns, err := enter(reborn)
	require.NoError(t, err)
	defer ns.Close()
	require.NoError(t, bringUp(ns.Handle, "lo"))
	require.NoError(t, ConnectDirectly(pids[0], reborn, nodes[0], nodes[1]))
	_, err = ns.LinkByName("node1")
	assert.NoError(t, err)
}

// BenchmarkRoundTrip measures the CPU time that the cable saves per round trip, with and without the bridge in one run.
func BenchmarkRoundTrip(b *testing.B) {
	if os.Geteuid() != 0 {
		b.Skip("needs root: makes network namespaces")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, path := range []string{"bridge", "cable", "bridge again", "cable again"} {
		b.Run(path, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			pids, nodes := twoNodes(b)
			if path[0] == 'c' {
				require.NoError(b, ConnectDirectly(pids[0], pids[1], nodes[0], nodes[1]))
			}
			pingPong(b, pids, nodes, 100)
			b.ResetTimer()
			cpu, _ := pingPong(b, pids, nodes, b.N)
			b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}
