//go:build e2e

package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
	"sigs.k8s.io/knftables"

	"ringside.dev/ringside/cluster/internal/namespaces"
	"ringside.dev/ringside/cluster/internal/network"
	"ringside.dev/ringside/cluster/internal/topology"
)

// answerWithin is ample: the receiver or the packet filter answers every packet here.
const answerWithin = 5 * time.Second

func needsKernel(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: makes network namespaces")
	}
	if _, err := exec.LookPath("nft"); err != nil {
		t.Skip("needs nft, which 'ringside-cluster up' installs")
	}
}

func TestPacketsGoAsCyclonusExpects(t *testing.T) {
	needsKernel(t)
	k := newKernel(t)
	steps := 0
	eachWorld(t, func(t *testing.T, w *world) {
		steps++
		k.enforce(t, w.rulesets(t))
		agrees(t, w, k.tryAll(t, w))
	})
	t.Logf("%d steps", steps)
}

func TestPacketsGoAsCyclonusExpectsUnderPoliciesAtRandom(t *testing.T) {
	needsKernel(t)
	k := newKernel(t)
	const seed = 1414
	for i := range uint64(60) {
		w := randomWorld(rand.New(rand.NewPCG(seed, i)))
		k.enforce(t, w.rulesets(t))
		agrees(t, w, k.tryAll(t, w))
		if t.Failed() {
			t.Fatalf("seed %d, world %d", seed, i)
		}
	}
}

// An accepted connection continues under a new policy; the next connection of the same kind is rejected.
func TestWhatBeganBeforeAPolicyGoesOn(t *testing.T) {
	needsKernel(t)
	k := newKernel(t)
	w := newWorld()
	k.enforce(t, w.rulesets(t))
	from, to := netip.MustParseAddr(w.Pods[0].Status.PodIP), netip.MustParseAddr(w.Pods[1].Status.PodIP)
	var connection net.Conn
	require.NoError(t, namespaces.Within(k.hosts[from], func() (err error) {
		connection, err = net.Dial("tcp4", netip.AddrPortFrom(to, 80).String())
		return err
	}))
	defer connection.Close()
	isolated := map[string]Ruleset{w.Pods[1].Spec.NodeName: {
		Pods:     []Pod{{Address: to, Name: "x/b", Ingress: []string{"x/none"}, Egress: []string{"x/none"}}},
		Policies: []Policy{{Name: "x/none"}},
	}}
	for _, n := range topology.Nodes(2) {
		require.NoError(t, k.apply(t.Context(), n.Name, isolated[n.Name]))
	}
	assert.True(t, answers(t, connection))
	assert.False(t, k.try(t, packet{from, to, "tcp", 80}))
	assert.False(t, k.try(t, packet{to, from, "tcp", 80}))
}

// BenchmarkRoundTrip measures the cost of enforcement: CPU time of a round trip of 100 bytes between pods of two nodes,
// on one connection.
func BenchmarkRoundTrip(b *testing.B) {
	needsKernel(b)
	w := newWorld()
	from, to := netip.MustParseAddr(w.Pods[0].Status.PodIP), netip.MustParseAddr(w.Pods[1].Status.PodIP)
	both := func(policies ...string) map[string]Ruleset {
		rules := map[string]Ruleset{}
		for _, p := range w.Pods[:2] {
			pod := Pod{Address: netip.MustParseAddr(p.Status.PodIP), Name: p.Name, Ingress: policies, Egress: policies}
			all := Match{Peers{Addresses: []netip.Addr{from, to}}, Ports{Protocol: "tcp", Ranges: []Range{{80, 80}}}}
			rules[p.Spec.NodeName] = Ruleset{Pods: []Pod{pod}, Policies: []Policy{{Name: "x/all", Ingress: []Match{all}, Egress: []Match{all}}}}
		}
		return rules
	}
	nobody := map[string]Ruleset{"node1": {}, "node2": {}}
	for _, test := range []struct {
		name  string
		rules map[string]Ruleset
	}{{"no rules", nil}, {"no policy", nobody}, {"both isolated", both("x/all")}, {"no rules again", nil}, {"no policy again", nobody}, {"both isolated again", both("x/all")}} {
		k := newKernel(b)
		for name, rules := range test.rules {
			require.NoError(b, k.apply(b.Context(), name, rules))
		}
		dial := func() (connection net.Conn, err error) {
			err = namespaces.Within(k.hosts[from], func() error {
				connection, err = net.Dial("tcp4", netip.AddrPortFrom(to, 80).String())
				return err
			})
			return connection, err
		}
		b.Run(test.name, func(b *testing.B) {
			connection, err := dial()
			require.NoError(b, err)
			defer connection.Close()
			before := used(b)
			for range b.N {
				require.NoError(b, exchange(connection))
			}
			b.ReportMetric(float64((used(b)-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}

func used(t testing.TB) time.Duration {
	t.Helper()
	var usage unix.Rusage
	require.NoError(t, unix.Getrusage(unix.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// kernel has two nodes as in a cluster, with network namespaces for pods.
type kernel struct {
	nodes map[string]int // a process in the namespace
	hosts map[netip.Addr]int
	sctp  map[netip.Addr]*sctpHost
}

func newKernel(t testing.TB) *kernel {
	t.Helper()
	runtime.LockOSThread() // the namespaces' processes end with the thread that started them
	t.Cleanup(runtime.UnlockOSThread)
	k := &kernel{nodes: map[string]int{}, hosts: map[netip.Addr]int{}, sctp: map[netip.Addr]*sctpHost{}}
	k.hosts[outside] = namespaces.New(t)
	require.NoError(t, network.SetUpControlPlane(k.hosts[outside]))
	nodes := topology.Nodes(2)
	for _, n := range nodes {
		pid := namespaces.New(t)
		k.nodes[n.Name] = pid
		require.NoError(t, network.Connect(k.hosts[outside], pid, n, nodes))
		require.NoError(t, namespaces.Within(pid, func() error {
			settings := maps.Clone(Sysctls)
			settings["net/ipv4/ip_forward"] = "1"
			for path, value := range settings {
				if err := os.WriteFile("/proc/sys/"+path, []byte(value), 0); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	require.NoError(t, network.ConnectDirectly(k.nodes["node1"], k.nodes["node2"], nodes[0], nodes[1]))
	for i, p := range places() {
		pid := namespaces.New(t)
		k.hosts[p.address] = pid
		k.plugIn(t, pid, k.nodes[p.node], fmt.Sprintf("pod%d", i), p.address)
	}
	for address, pid := range k.hosts {
		k.serve(t, pid, address)
	}
	return k
}

// plugIn connects a pod as the network plugin does.
func (k *kernel) plugIn(t testing.TB, pod, node int, name string, address netip.Addr) {
	t.Helper()
	podNS, err := netns.GetFromPid(pod)
	require.NoError(t, err)
	defer podNS.Close()
	gateway := net.IP(address.AsSlice())
	gateway[3] = 1 // of the node's subnet, the same for every pod
	self := &net.IPNet{IP: address.AsSlice(), Mask: net.CIDRMask(32, 32)}
	require.NoError(t, namespaces.Within(node, func() error {
		cable := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: name}, PeerName: "eth0", PeerNamespace: netlink.NsFd(podNS)}
		if err := netlink.LinkAdd(cable); err != nil {
			return err
		}
		link, err := netlink.LinkByName(name)
		if err != nil {
			return err
		}
		if err := netlink.AddrAdd(link, &netlink.Addr{IPNet: &net.IPNet{IP: gateway, Mask: net.CIDRMask(32, 32)}}); err != nil {
			return err
		}
		if err := netlink.LinkSetUp(link); err != nil {
			return err
		}
		return netlink.RouteAdd(&netlink.Route{Dst: self, LinkIndex: link.Attrs().Index, Scope: netlink.SCOPE_LINK})
	}))
	require.NoError(t, namespaces.Within(pod, func() error {
		for _, name := range []string{"lo", "eth0"} {
			link, err := netlink.LinkByName(name)
			if err != nil {
				return err
			}
			if err := netlink.LinkSetUp(link); err != nil {
				return err
			}
		}
		link, err := netlink.LinkByName("eth0")
		if err != nil {
			return err
		}
		if err := netlink.AddrAdd(link, &netlink.Addr{IPNet: self}); err != nil {
			return err
		}
		return netlink.RouteAdd(&netlink.Route{
			Dst: &net.IPNet{IP: net.IPv4zero.To4(), Mask: net.CIDRMask(0, 32)}, Gw: gateway, LinkIndex: link.Attrs().Index, Flags: unix.RTNH_F_ONLINK,
		})
	}))
}

// serve answers everything that arrives at ports 80 and 81.
func (k *kernel) serve(t testing.TB, pid int, address netip.Addr) {
	t.Helper()
	require.NoError(t, namespaces.Within(pid, func() error {
		for _, port := range []uint16{80, 81} {
			at := netip.AddrPortFrom(address, port)
			listener, err := net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(at))
			if err != nil {
				return err
			}
			t.Cleanup(func() { listener.Close() })
			go echoConnections(listener)
			datagrams, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(at))
			if err != nil {
				return err
			}
			t.Cleanup(func() { datagrams.Close() })
			go echoDatagrams(datagrams)
		}
		host, err := newSCTPHost(address)
		if err != nil {
			return err
		}
		t.Cleanup(func() { host.socket.Close() })
		k.sctp[address] = host
		return nil
	}))
}

func echoConnections(listener *net.TCPListener) {
	for {
		connection, err := listener.AcceptTCP()
		if err != nil {
			return
		}
		go func() {
			defer connection.Close()
			_ = connection.SetLinger(0)
			buffer := make([]byte, 16)
			for {
				n, err := connection.Read(buffer)
				if err != nil {
					return
				}
				_, _ = connection.Write(buffer[:n])
			}
		}()
	}
}

func echoDatagrams(socket *net.UDPConn) {
	buffer := make([]byte, 16)
	for {
		n, from, err := socket.ReadFromUDPAddrPort(buffer)
		if err != nil {
			return
		}
		_, _ = socket.WriteToUDPAddrPort(buffer[:n], from)
	}
}

// enforce writes the nodes' rules, and deletes the state of connections that earlier rules accepted.
func (k *kernel) enforce(t *testing.T, rules map[string]Ruleset) {
	t.Helper()
	for name, r := range rules {
		require.NoError(t, k.apply(t.Context(), name, r))
		require.NoError(t, namespaces.Within(k.nodes[name], func() error { return netlink.ConntrackTableFlush(netlink.ConntrackTable) }))
	}
}

func (k *kernel) apply(ctx context.Context, node string, rules Ruleset) error {
	return namespaces.Within(k.nodes[node], func() error {
		filter, err := knftables.New(knftables.IPv4Family, Table)
		if err != nil {
			return err
		}
		return apply(ctx, filter, rules)
	})
}

// tryAll sends every packet of the world, those of each pod sequentially.
func (k *kernel) tryAll(t *testing.T, w *world) func(packet) bool {
	t.Helper()
	bySource := map[netip.Addr][]packet{}
	for _, p := range w.packets() {
		bySource[p.from] = append(bySource[p.from], p)
	}
	var mu sync.Mutex
	passed := map[packet]bool{}
	var group sync.WaitGroup
	for source, packets := range bySource {
		group.Go(func() {
			err := namespaces.Within(k.hosts[source], func() error {
				for _, p := range packets {
					ok, err := k.send(p)
					if err != nil {
						return fmt.Errorf("%s: %w", w.name(p), err)
					}
					mu.Lock()
					passed[p] = ok
					mu.Unlock()
				}
				return nil
			})
			assert.NoError(t, err)
		})
	}
	group.Wait()
	require.False(t, t.Failed())
	return func(p packet) bool { return passed[p] }
}

func (k *kernel) try(t *testing.T, p packet) bool {
	t.Helper()
	var passed bool
	require.NoError(t, namespaces.Within(k.hosts[p.from], func() (err error) {
		passed, err = k.send(p)
		return err
	}))
	return passed
}

// send reports whether the packet, sent from the network namespace of this thread, was accepted or rejected by the
// packet filter. Any other outcome is an error.
func (k *kernel) send(p packet) (bool, error) {
	if p.protocol == "sctp" {
		return sendSCTP(p, k.sctp[p.to])
	}
	connection, err := net.DialTimeout(p.protocol+"4", netip.AddrPortFrom(p.to, p.port).String(), answerWithin)
	if err == nil {
		defer connection.Close()
		if c, ok := connection.(*net.TCPConn); ok {
			_ = c.SetLinger(0) // leaves no socket in TIME_WAIT
		}
		err = exchange(connection)
	}
	if errors.Is(err, unix.EHOSTUNREACH) {
		return false, nil
	}
	return err == nil, err
}

func exchange(connection net.Conn) error {
	if err := connection.SetDeadline(time.Now().Add(answerWithin)); err != nil {
		return err
	}
	if _, err := connection.Write([]byte("x")); err != nil {
		return err
	}
	_, err := connection.Read(make([]byte, 16))
	return err
}

func answers(t *testing.T, connection net.Conn) bool {
	t.Helper()
	return assert.NoError(t, exchange(connection))
}
