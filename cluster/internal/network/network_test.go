package network

import (
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
