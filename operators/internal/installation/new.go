package installation

import (
	"fmt"
	"log/slog"
	"time"

	"helm.sh/helm/v4/pkg/action"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/storechart"
)

// storageDriver keeps releases in Secrets, where the helm command finds them.
const storageDriver = "secret"

// New returns an Installer for a cluster. It prints nothing.
func New(config *rest.Config) (*Installer, error) {
	c, err := client.New(config, client.Options{Scheme: runs.Scheme()})
	if err != nil {
		return nil, fmt.Errorf("make a client for %s: %w", config.Host, err)
	}
	served, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make a discovery client for %s: %w", config.Host, err)
	}
	return &Installer{
		Client: c, Discovery: served, Now: time.Now, Tick: time.Second, Patience: 5 * time.Minute,
		Say: func(string, ...any) {}, Progress: func(string, string) {},
		Helm: func(namespace string) (*action.Configuration, error) {
			access, err := storechart.NewAccess(config, namespace)
			if err != nil {
				return nil, err
			}
			configuration := action.NewConfiguration(action.ConfigurationSetLogger(slog.DiscardHandler))
			if err := configuration.Init(access, namespace, storageDriver); err != nil {
				return nil, fmt.Errorf("prepare Helm: %w", err)
			}
			return configuration, nil
		},
	}, nil
}
