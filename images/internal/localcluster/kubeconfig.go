package localcluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// patience is how long a cluster may take to answer.
const patience = 10 * time.Second

// Kubeconfig reads the kubeconfig of the user: $KUBECONFIG, or the usual file.
func Kubeconfig() (*clientcmdapi.Config, error) {
	config, err := clientcmd.NewDefaultClientConfigLoadingRules().Load()
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig: %w; correct it, or set KUBECONFIG to another file", err)
	}
	return config, nil
}

// Connect verifies that the cluster answers, and writes a kubeconfig of it alone to a file.
func (c Cluster) Connect(ctx context.Context, config *clientcmdapi.Config, file string) error {
	only, err := c.alone(config)
	if err != nil {
		return err
	}
	if err := c.answers(ctx, only); err != nil {
		return fmt.Errorf("use %s cluster %s: it does not answer: %w; start it, or delete it and create it again: %s", c.Tool.Name, c.Name, err, c.Tool.Create)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write the kubeconfig of %s cluster %s: %w", c.Tool.Name, c.Name, err)
	}
	if err := clientcmd.WriteToFile(*only, file); err != nil {
		return fmt.Errorf("write the kubeconfig of %s cluster %s: %w", c.Tool.Name, c.Name, err)
	}
	return nil
}

// alone returns the parts of a kubeconfig that the cluster needs, with the content of the files that it names.
func (c Cluster) alone(config *clientcmdapi.Config) (*clientcmdapi.Config, error) {
	only := config.DeepCopy()
	only.CurrentContext = c.Context
	err := clientcmdapi.MinifyConfig(only)
	if err == nil {
		err = clientcmdapi.FlattenConfig(only)
	}
	if err != nil {
		return nil, fmt.Errorf("use %s cluster %s: read its context %s: %w; correct the kubeconfig", c.Tool.Name, c.Name, c.Context, err)
	}
	return only, nil
}

func (c Cluster) answers(ctx context.Context, config *clientcmdapi.Config) error {
	rest, err := clientcmd.NewDefaultClientConfig(*config, &clientcmd.ConfigOverrides{}).ClientConfig()
	if err != nil {
		return err
	}
	rest.Timeout = patience
	client, err := discovery.NewDiscoveryClientForConfig(rest)
	if err != nil {
		return err
	}
	return client.RESTClient().Get().AbsPath("/version").Do(ctx).Error()
}
