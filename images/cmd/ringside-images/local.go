package main

import (
	"fmt"

	"github.com/spf13/cobra"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"ringside.dev/ringside/images/internal/localcluster"
)

// local are the flags that select a cluster of kind, k3d or minikube.
type local struct{ tool, instance string }

func (l *local) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.tool, "cluster", "", "kind, k3d or minikube")
	cmd.Flags().StringVar(&l.instance, "instance", "", "name of the cluster (default: the only one of the kubeconfig)")
}

// find returns the running cluster, and the user's kubeconfig.
func (l *local) find() (localcluster.Cluster, *clientcmdapi.Config, error) {
	tool, err := localcluster.Named(l.tool)
	if err != nil {
		return localcluster.Cluster{}, nil, err
	}
	config, err := localcluster.Kubeconfig()
	if err != nil {
		return localcluster.Cluster{}, nil, err
	}
	cluster, err := tool.Find(config, l.instance)
	return cluster, config, err
}

func connect() *cobra.Command {
	var l local
	var file string
	cmd := &cobra.Command{
		Use:   "connect --cluster kind|k3d|minikube --kubeconfig FILE",
		Short: "Verify that a cluster of kind, k3d or minikube runs, and write a kubeconfig of it alone",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cluster, config, err := l.find()
			if err != nil {
				return err
			}
			if err := cluster.Connect(cmd.Context(), config, file); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "cluster: %s, context %s\n", l.tool, cluster.Context)
			return nil
		},
	}
	l.bind(cmd)
	cmd.Flags().StringVar(&file, "kubeconfig", "", "`file` to write")
	_ = cmd.MarkFlagRequired("kubeconfig") // the flag exists
	return cmd
}

func load() *cobra.Command {
	var l local
	cmd := &cobra.Command{
		Use:   "load --cluster kind|k3d|minikube ARCHIVE...",
		Short: "Load image archives into the nodes of a cluster of kind, k3d or minikube",
		RunE: func(cmd *cobra.Command, archives []string) error {
			cluster, _, err := l.find()
			if err != nil {
				return err
			}
			return cluster.Load(cmd.Context(), localcluster.Program, archives)
		},
	}
	l.bind(cmd)
	return cmd
}
