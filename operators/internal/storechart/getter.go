package storechart

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Access gives Helm the caller's connection. Otherwise Helm would read a kubeconfig file.
type Access struct {
	config    *rest.Config
	namespace string
	discovery discovery.CachedDiscoveryInterface
}

// NewAccess returns Helm's access to a cluster. Objects without a namespace are of the given one.
func NewAccess(config *rest.Config, namespace string) (*Access, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make a discovery client: %w", err)
	}
	return &Access{config: config, namespace: namespace, discovery: memory.NewMemCacheClient(client)}, nil
}

// ToRESTConfig returns a copy, because Helm's clients modify its codec and path.
func (c *Access) ToRESTConfig() (*rest.Config, error) {
	return rest.CopyConfig(c.config), nil
}

// ToDiscoveryClient returns a client that caches responses in memory.
func (c *Access) ToDiscoveryClient() (discovery.CachedDiscoveryInterface, error) {
	return c.discovery, nil
}

// ToRESTMapper returns a mapper from kinds to the resources that the cluster serves.
func (c *Access) ToRESTMapper() (meta.RESTMapper, error) {
	return restmapper.NewShortcutExpander(
		restmapper.NewDeferredDiscoveryRESTMapper(c.discovery), c.discovery, func(string) {}), nil
}

// ToRawKubeConfigLoader returns the namespace of objects without one. Helm uses it for nothing else.
func (c *Access) ToRawKubeConfigLoader() clientcmd.ClientConfig {
	return clientcmd.NewDefaultClientConfig(clientcmdapi.Config{}, &clientcmd.ConfigOverrides{
		Context: clientcmdapi.Context{Namespace: c.namespace},
	})
}
