package node

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	componentbase "k8s.io/component-base/config/v1alpha1"
	proxy "k8s.io/kube-proxy/config/v1alpha1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/cluster/internal/topology"
)

// proxyConfig renders a KubeProxyConfiguration. The rules stay in the node's network namespace.
func proxyConfig(opts Options) ([]byte, error) {
	config := proxy.KubeProxyConfiguration{
		TypeMeta:           metav1.TypeMeta{APIVersion: proxy.SchemeGroupVersion.String(), Kind: "KubeProxyConfiguration"},
		ClientConnection:   componentbase.ClientConnectionConfiguration{Kubeconfig: inMachine("kube-proxy.kubeconfig")},
		HostnameOverride:   opts.Node.Name,
		Mode:               "nftables",
		ClusterCIDR:        topology.PodCIDR,
		HealthzBindAddress: "127.0.0.1:10256",
		MetricsBindAddress: "127.0.0.1:10249",
		Conntrack: proxy.KubeProxyConntrackConfiguration{
			// The size of the connection table belongs to the host.
			MaxPerCore: new(int32(0)),
			Min:        new(int32(0)),
		},
	}
	if !opts.MayRaisePriority {
		config.OOMScoreAdj = new(int32(0))
	}
	content, err := yaml.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("render kube-proxy configuration: %w", err)
	}
	return content, nil
}
