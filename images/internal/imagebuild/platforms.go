package imagebuild

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// supported lists the architectures of Linux for which images are built.
var supported = []string{"amd64", "arm64"}

// HostPlatform returns the platform of nodes on this machine: Linux on its architecture, also on a Mac.
func HostPlatform() v1.Platform { return v1.Platform{OS: "linux", Architecture: runtime.GOARCH} }

// ParsePlatforms parses a list such as linux/amd64,linux/arm64. The result is sorted and has no duplicates.
func ParsePlatforms(text string) ([]v1.Platform, error) {
	var platforms []v1.Platform
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		platform, err := v1.ParsePlatform(part)
		if err != nil || platform.OS != "linux" || platform.Variant != "" || !slices.Contains(supported, platform.Architecture) {
			return nil, fmt.Errorf("read PLATFORMS: %q is not supported; use linux/amd64, linux/arm64 or both, separated by a comma", part)
		}
		platforms = append(platforms, *platform)
	}
	return sortedPlatforms(platforms), nil
}

func sortedPlatforms(platforms []v1.Platform) []v1.Platform {
	slices.SortFunc(platforms, func(a, b v1.Platform) int { return strings.Compare(a.String(), b.String()) })
	return slices.CompactFunc(platforms, v1.Platform.Equals)
}

// NodePlatforms reads the platforms of the nodes from the API server of KUBECONFIG.
func NodePlatforms(ctx context.Context) ([]v1.Platform, error) {
	const remedy = "set PLATFORMS=linux/amd64, linux/arm64 or both"
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("find the platforms of the cluster's nodes: %w; %s", err, remedy)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("find the platforms of the cluster's nodes: %w; %s", err, remedy)
	}
	return nodePlatforms(ctx, client)
}

func nodePlatforms(ctx context.Context, client kubernetes.Interface) ([]v1.Platform, error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("find the platforms of the cluster's nodes: %w; set PLATFORMS=linux/amd64, linux/arm64 or both", err)
	}
	var platforms []v1.Platform
	for _, node := range nodes.Items {
		if info := node.Status.NodeInfo; info.OperatingSystem == "linux" && slices.Contains(supported, info.Architecture) {
			platforms = append(platforms, v1.Platform{OS: info.OperatingSystem, Architecture: info.Architecture})
		}
	}
	if len(platforms) == 0 {
		return nil, fmt.Errorf("find the platforms of the cluster's nodes: none of %d nodes has linux/amd64 or linux/arm64; use a cluster with such nodes, or set PLATFORMS", len(nodes.Items))
	}
	return sortedPlatforms(platforms), nil
}
