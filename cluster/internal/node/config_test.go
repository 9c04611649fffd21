package node

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	proxy "k8s.io/kube-proxy/config/v1alpha1"
	kubelet "k8s.io/kubelet/config/v1beta1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/pki"
	"ringside.dev/ringside/cluster/internal/topology"
)

func sampleOptions(t *testing.T) Options {
	t.Helper()
	share, err := ShareOf(24*gibibyte, 24*gibibyte, 4)
	require.NoError(t, err)
	return Options{
		Node:        topology.Nodes(2)[1],
		Server:      "https://10.200.0.1:6443",
		Share:       share,
		Labels:      map[string]string{"ringside.dev/disk": "ssd", "a": "b"},
		Cgroup:      "/ringside/node2",
		Snapshotter: "overlayfs",
		Tools:       Tools{Containerd: "/usr/bin/containerd", CNIDir: "/usr/lib/cni"},
		Verbosity:   1,
	}
}

func TestKubeletAsksForProofAndKeepsToItsShare(t *testing.T) {
	opts := sampleOptions(t)
	content, err := kubeletConfig(opts)
	require.NoError(t, err)
	var config kubelet.KubeletConfiguration
	require.NoError(t, yaml.UnmarshalStrict(content, &config))

	assert.False(t, *config.Authentication.Anonymous.Enabled)
	assert.True(t, *config.Authentication.Webhook.Enabled)
	assert.Equal(t, kubelet.KubeletAuthorizationModeWebhook, config.Authorization.Mode)
	assert.Equal(t, "/ringside/node2", config.CgroupRoot)
	assert.False(t, *config.FailCgroupV1)
	assert.Equal(t, fmt.Sprint(19072*mebibyte), config.SystemReserved["memory"], "24 GiB less a quarter of what is left after 2.5 GiB for the host")
	assert.Equal(t, "896Mi", config.EvictionHard["nodefs.available"])
	assert.NotEqual(t, evictionDisk(topology.Nodes(4)[2]), evictionDisk(topology.Nodes(4)[3]), "a full disk must not make all nodes evict at once")
	assert.EqualValues(t, 100, *config.ImageGCHighThresholdPercent, "images cannot be fetched again")
	assert.Equal(t, "10.200.0.12", config.Address)
	assert.Zero(t, *config.OOMScoreAdj)
	opts.MayRaisePriority = true
	content, err = kubeletConfig(opts)
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalStrict(content, &config))
	assert.EqualValues(t, -999, *config.OOMScoreAdj)
}

func TestKubeletRegistersWithItsLabels(t *testing.T) {
	assert.Contains(t, kubeletArgs(sampleOptions(t)), "--node-labels=a=b,ringside.dev/disk=ssd")
}

// The nodes share one machine: their own work takes resources from what is measured.
func TestNodesLookAtThemselvesSeldom(t *testing.T) {
	opts := sampleOptions(t)
	assert.Contains(t, kubeletArgs(opts), "--housekeeping-interval=30s")
	content, err := kubeletConfig(opts)
	require.NoError(t, err)
	var config kubelet.KubeletConfiguration
	require.NoError(t, yaml.UnmarshalStrict(content, &config))
	assert.GreaterOrEqual(t, config.SyncFrequency.Duration, 3*time.Minute)
	renewal := time.Duration(config.NodeLeaseDurationSeconds) * time.Second / 4
	assert.Equal(t, 20*time.Second, renewal, "twice within the 50 s after which a node counts as lost")
	l := layout.Layout{Instance: "ringside", State: t.TempDir(), Bin: "/bin"}
	for _, service := range spec(l, l.Machine("node2"), opts).Services {
		assert.Equal(t, machine.Modest(), service.Env, service.Name)
		if service.Name == "containerd" {
			assert.Zero(t, service.TimerSlack, "the store's containers would inherit it")
		} else {
			assert.Equal(t, machine.Leisurely, service.TimerSlack, service.Name)
		}
	}
}

func TestProxyLeavesTheHostsConnectionTableAlone(t *testing.T) {
	content, err := proxyConfig(sampleOptions(t))
	require.NoError(t, err)
	var config proxy.KubeProxyConfiguration
	require.NoError(t, yaml.UnmarshalStrict(content, &config))
	assert.Zero(t, *config.Conntrack.MaxPerCore)
	assert.Zero(t, *config.Conntrack.Min)
	assert.EqualValues(t, "nftables", config.Mode)
}

func TestPodsGetTheNodesSubnetAndAWayOutOfTheirNamespace(t *testing.T) {
	content, err := cniConfig("10.201.2.0/24")
	require.NoError(t, err)
	var config struct {
		Plugins []struct {
			Type string
			IPAM struct {
				Ranges [][]struct{ Subnet string }
				Routes []struct{ Dst string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(content, &config))
	require.Len(t, config.Plugins, 1)
	assert.Equal(t, "ptp", config.Plugins[0].Type)
	assert.Equal(t, "10.201.2.0/24", config.Plugins[0].IPAM.Ranges[0][0].Subnet)
	require.Len(t, config.Plugins[0].IPAM.Routes, 1)
	assert.Equal(t, "0.0.0.0/0", config.Plugins[0].IPAM.Routes[0].Dst)
}

func TestANodeNeedsNoFilterOnBridges(t *testing.T) {
	l := layout.Layout{Instance: "ringside", State: t.TempDir(), Bin: "/bin"}
	machine, err := Prepare(l, pki.Store{Dir: l.PKI(), Now: time.Now}, sampleOptions(t))
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"net/ipv4/ip_forward": "1", "net/ipv4/icmp_ratemask": "6160"}, machine.Sysctls)
}

func TestContainerdLowersNoScoresWithoutTheRight(t *testing.T) {
	opts := sampleOptions(t)
	assert.Contains(t, containerdConfig(opts), "restrict_oom_score_adj = true")
	opts.MayRaisePriority, opts.Snapshotter = true, "native"
	config := containerdConfig(opts)
	assert.Contains(t, config, "restrict_oom_score_adj = false")
	assert.Contains(t, config, `snapshotter = "native"`)
	assert.Contains(t, config, `bin_dir = "/usr/lib/cni"`)
}

func TestContainerdUsesNoFolderOfTheHost(t *testing.T) {
	config := containerdConfig(sampleOptions(t))
	assert.Contains(t, config, "imports = []\n")
	assert.Contains(t, config, "[plugins.\"io.containerd.internal.v1.opt\"]\n  path = \"/var/lib/containerd/opt\"\n")
	assert.Contains(t, config, "[plugins.\"io.containerd.nri.v1.nri\"]\n  disable = true\n")
	assert.NotRegexp(t, `"/(etc|opt)/`, config)
}

func TestPreparesANodeTwiceAlike(t *testing.T) {
	l := layout.Layout{Instance: "ringside", State: t.TempDir(), Bin: "/bin"}
	store := pki.Store{Dir: l.PKI(), Now: time.Now}
	opts := sampleOptions(t)
	first, err := Prepare(l, store, opts)
	require.NoError(t, err)
	home := l.Machine("node2")
	kubeconfig := filepath.Join(home, "kubelet.kubeconfig")
	before, err := os.ReadFile(kubeconfig)
	require.NoError(t, err)

	second, err := Prepare(l, store, opts)
	require.NoError(t, err)
	assert.Equal(t, first, second)
	after, err := os.ReadFile(kubeconfig)
	require.NoError(t, err)
	assert.Equal(t, before, after)

	info, err := os.Stat(filepath.Join(home, "tmp"))
	require.NoError(t, err)
	assert.Equal(t, os.ModeSticky|0o777, info.Mode()&(os.ModeSticky|os.ModePerm))
	info, err = os.Stat(kubeconfig)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	for _, bind := range first.Binds {
		assert.False(t, strings.HasPrefix(l.PKI(), bind.Source+"/") || bind.Source == l.PKI(), "no node sees the authorities' keys: %v", bind)
	}
}

func TestANodeFindsTheRegistryByTheHostsNameForIt(t *testing.T) {
	l := layout.Layout{Instance: "ringside", State: t.TempDir(), Bin: "/bin"}
	opts := sampleOptions(t)
	assert.NotContains(t, containerdConfig(opts), "config_path", "without a registry")
	opts.RegistryPort = 5001
	_, err := Prepare(l, pki.Store{Dir: l.PKI(), Now: time.Now}, opts)
	require.NoError(t, err)
	home := l.Machine("node2")
	config, err := os.ReadFile(filepath.Join(home, "containerd.toml"))
	require.NoError(t, err)
	assert.Contains(t, string(config), `config_path = "/run/config/registries"`)
	hosts, err := os.ReadFile(filepath.Join(home, "registries", "localhost:5001", "hosts.toml"))
	require.NoError(t, err)
	assert.Equal(t, "server = \"http://10.200.0.1:5000\"\n\n[host.\"http://10.200.0.1:5000\"]\n", string(hosts))
}

func TestNodesTogetherPromiseNoMoreThanTheHostHas(t *testing.T) {
	for _, test := range []struct {
		name   string
		total  int64
		nodes  int
		offers int64 // MiB each
	}{
		{"24 GiB, four nodes", 24 * gibibyte, 4, (24*1024-2560)/4 - 100},
		{"24 GiB, one node", 24 * gibibyte, 1, 24*1024 - 1792 - 100},
		{"8 GiB, two nodes", 8 * gibibyte, 2, (8*1024-2048)/2 - 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			share, err := ShareOf(test.total, test.total, test.nodes)
			require.NoError(t, err)
			assert.Equal(t, test.offers, share.Offered/mebibyte)
			promised := int64(test.nodes) * (share.Offered + evictionMemory)
			assert.LessOrEqual(t, promised+HostReserve(test.nodes), test.total)
			// The kubelet's computation: all memory that it sees, minus the reserved memory and the eviction threshold.
			assert.Equal(t, share.Offered, test.total-share.Reserved-evictionMemory)
		})
	}
}

func TestAContainersNodesPromiseOnlyWhatItMayUse(t *testing.T) {
	host, err := ShareOf(16*gibibyte, 16*gibibyte, 4)
	require.NoError(t, err)
	limited, err := ShareOf(64*gibibyte, 16*gibibyte, 4)
	require.NoError(t, err)
	assert.Equal(t, host.Offered, limited.Offered)
	assert.Equal(t, 48*gibibyte, limited.Reserved-host.Reserved, "the kubelet sees the whole host")
}

func TestRefusesAShareThatIsNone(t *testing.T) {
	_, err := ShareOf(2*gibibyte, 2*gibibyte, 4)
	assert.ErrorContains(t, err, "2048 MiB of memory are too little for 4 nodes")
	_, err = ShareOf(24*gibibyte, 24*gibibyte, 0)
	assert.Error(t, err)
}

func TestWhatPreflightAsksForGivesUsefulNodes(t *testing.T) {
	for nodes := 1; nodes <= 8; nodes++ {
		share, err := ShareOf(MemoryNeeded(nodes), MemoryNeeded(nodes), nodes)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, share.Offered, podMemory)
	}
}
