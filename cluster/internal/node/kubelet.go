package node

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubelet "k8s.io/kubelet/config/v1beta1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/cluster/internal/topology"
)

// housekeepingInterval must not exceed Prometheus's scrape interval (cluster/experiment-profile.yaml).
const housekeepingInterval = 30 * time.Second

// kubeletConfig renders a KubeletConfiguration.
func kubeletConfig(opts Options) ([]byte, error) {
	yes, no := true, false
	config := kubelet.KubeletConfiguration{
		TypeMeta: metav1.TypeMeta{APIVersion: kubelet.SchemeGroupVersion.String(), Kind: "KubeletConfiguration"},
		Authentication: kubelet.KubeletAuthentication{
			Anonymous: kubelet.KubeletAnonymousAuthentication{Enabled: &no},
			Webhook:   kubelet.KubeletWebhookAuthentication{Enabled: &yes},
			X509:      kubelet.KubeletX509Authentication{ClientCAFile: inMachine("pki/ca.crt")},
		},
		Authorization:            kubelet.KubeletAuthorization{Mode: kubelet.KubeletAuthorizationModeWebhook},
		TLSCertFile:              inMachine("pki/kubelet-server.crt"),
		TLSPrivateKeyFile:        inMachine("pki/kubelet-server.key"),
		Address:                  opts.Node.IP,
		HealthzBindAddress:       "127.0.0.1",
		ClusterDNS:               []string{topology.DNSServiceIP},
		ClusterDomain:            topology.Domain,
		ContainerRuntimeEndpoint: "unix://" + ContainerdSocket,
		ResolverConfig:           new(inMachine("resolv.conf")),

		VolumePluginDir: volumePlugins,

		CgroupDriver: "cgroupfs",
		CgroupRoot:   opts.Cgroup,
		FailCgroupV1: &no,
		// On version 2, MemoryQoS would slow down a pod that comes close to its limit, and so change what is measured.
		// SingleProcessOOMKill keeps its default, which is that of the users' own clusters: only on version 2, the end of
		// one process that lacks memory ends its whole container.
		FeatureGates:           map[string]bool{"MemoryQoS": false},
		FailSwapOn:             &no,
		MaxPods:                60,
		PodPidsLimit:           new(int64(8192)),
		OOMScoreAdj:            oomScore(opts.MayRaisePriority),
		MakeIPTablesUtilChains: &no, // for kube-proxy's iptables mode only

		SystemReserved: map[string]string{"memory": strconv.FormatInt(opts.Share.Reserved, 10)},
		EvictionHard: map[string]string{
			// Absolute values: the nodes share one disk, which may be large and mostly full of other data.
			"memory.available":   fmt.Sprintf("%dMi", evictionMemory/mebibyte),
			"nodefs.available":   evictionDisk(opts.Node),
			"imagefs.available":  evictionDisk(opts.Node),
			"nodefs.inodesFree":  "20k",
			"imagefs.inodesFree": "20k",
		},
		// Images are loaded from archives and cannot be pulled again: never remove them to free space.
		ImageGCHighThresholdPercent: new(int32(100)),
		ImageGCLowThresholdPercent:  new(int32(99)),
		SerializeImagePulls:         &yes,
		ContainerLogMaxSize:         "50Mi",
		ContainerLogMaxFiles:        new(int32(3)),
		ContainerLogMonitorInterval: &metav1.Duration{Duration: time.Minute},

		// The nodes share the host's CPUs with what is measured: report less often than by default.
		NodeStatusUpdateFrequency: metav1.Duration{Duration: 20 * time.Second},
		NodeStatusReportFrequency: metav1.Duration{Duration: 5 * time.Minute},
		NodeLeaseDurationSeconds:  80, // renewed after a quarter of it; a node counts as lost after 50 s
		SyncFrequency:             metav1.Duration{Duration: 3 * time.Minute},
		FileCheckFrequency:        metav1.Duration{Duration: 5 * time.Minute},
		VolumeStatsAggPeriod:      metav1.Duration{Duration: 5 * time.Minute},
		EnableProfilingHandler:    &no,
	}
	content, err := yaml.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("render kubelet configuration: %w", err)
	}
	return content, nil
}

// evictionDisk returns the node's eviction threshold. It differs between nodes: with a common one, a full disk would
// make every node evict at once. The last node evicts first, and the space that it frees may spare the others.
func evictionDisk(n topology.Node) string {
	return fmt.Sprintf("%dMi", evictionDiskLeast/mebibyte+int64(topology.Number(n))*evictionDiskStep/mebibyte)
}

func kubeletArgs(opts Options) []string {
	return []string{
		program("kubelet"),
		"--config=" + inMachine("kubelet.yaml"),
		"--kubeconfig=" + inMachine("kubelet.kubeconfig"),
		"--hostname-override=" + opts.Node.Name,
		"--node-ip=" + opts.Node.IP,
		"--node-labels=" + renderLabels(opts.Labels),
		// The interval at which the usage of each container is read; the default is 10 s. The configuration file has no
		// such setting.
		"--housekeeping-interval=" + housekeepingInterval.String(),
		fmt.Sprintf("--v=%d", opts.Verbosity),
	}
}

func renderLabels(labels map[string]string) string {
	pairs := make([]string, 0, len(labels))
	for key, value := range labels {
		pairs = append(pairs, key+"="+value)
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ",")
}

// oomScore returns the kubelet's usual protection from the out-of-memory killer, if permitted.
func oomScore(mayRaisePriority bool) *int32 {
	if mayRaisePriority {
		return new(int32(-999))
	}
	return new(int32(0))
}
