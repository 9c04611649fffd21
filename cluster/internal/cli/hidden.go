package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/cluster/internal/controlplane"
	"ringside.dev/ringside/cluster/internal/forward"
	"ringside.dev/ringside/cluster/internal/imagevolume"
	"ringside.dev/ringside/cluster/internal/lifecycle"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/policy"
	"ringside.dev/ringside/cluster/internal/provisioner"
)

// The cluster starts its own processes with the commands below. Users do not call them.

func initMachine() *cobra.Command {
	return &cobra.Command{
		Use:    machine.InitCommand + " NAME",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE:   func(*cobra.Command, []string) error { return machine.Init() },
	}
}

func provision() *cobra.Command {
	var kubeconfig, machines string
	cmd := &cobra.Command{
		Use:    controlplane.ProvisionerCommand,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return provisioner.Run(cmd.Context(), kubeconfig, machines)
		},
	}
	cmd.Flags().StringVar(&kubeconfig, "kubeconfig", "", "how to reach the API server")
	cmd.Flags().StringVar(&machines, "machines", "", "directory that holds one directory per node")
	return cmd
}

func enforcePolicies() *cobra.Command {
	var kubeconfig, node string
	cmd := &cobra.Command{
		Use:    policy.Command,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return policy.Run(cmd.Context(), kubeconfig, node)
		},
	}
	cmd.Flags().StringVar(&kubeconfig, "kubeconfig", "", "how to reach the API server")
	cmd.Flags().StringVar(&node, "node", "", "the node it runs on")
	return cmd
}

func mountImages() *cobra.Command {
	var volumes string
	cmd := &cobra.Command{
		Use:    imagevolume.Command,
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(imagevolume.Answer(cmd.Context(), volumes, args))
		},
	}
	cmd.Flags().StringVar(&volumes, "volumes", "", "directory that holds one directory per volume")
	return cmd
}

func serveForward() *cobra.Command {
	var records string
	var f forward.Forward
	cmd := &cobra.Command{
		Use:    lifecycle.ForwardCommand,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forward.Serve(cmd.Context(), records, f)
		},
	}
	cmd.Flags().StringVar(&records, "records", "", "where the machines' processes are recorded")
	cmd.Flags().StringVar(&f.Listen, "listen", "", "address on the host")
	cmd.Flags().StringVar(&f.Target, "target", "", "address in the cluster")
	cmd.Flags().StringVar(&f.Machine, "machine", "", "machine to dial from")
	return cmd
}
