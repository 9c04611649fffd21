package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/images/internal/localcluster"
)

// local are the flags that select a cluster of kind, k3d or minikube.
type local struct{ tool, instance string }

func (l *local) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.tool, "cluster", "", "kind, k3d or minikube")
	cmd.Flags().StringVar(&l.instance, "instance", "", "name of the cluster (default: the only one of the kubeconfig)")
}

func connect() *cobra.Command {
	var l local
	var file string
	cmd := &cobra.Command{
		Use:   "connect --cluster kind|k3d|minikube --kubeconfig FILE",
		Short: "Verify that a cluster of kind, k3d or minikube runs, and write a kubeconfig of it alone",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			tool, err := localcluster.Named(l.tool)
			if err != nil {
				return err
			}
			config, err := localcluster.Kubeconfig()
			if err != nil {
				return err
			}
			cluster, err := tool.Find(config, l.instance)
			if err != nil {
				return err
			}
			if err := cluster.Connect(cmd.Context(), config, file); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "cluster: %s, context %s\n", tool.Name, cluster.Context)
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
			tool, err := localcluster.Named(l.tool)
			if err != nil {
				return err
			}
			config, err := localcluster.Kubeconfig()
			if err != nil {
				return err
			}
			cluster, err := tool.Find(config, l.instance)
			if err != nil {
				return err
			}
			return cluster.Load(cmd.Context(), localcluster.Program, archives)
		},
	}
	l.bind(cmd)
	return cmd
}
