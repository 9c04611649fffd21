package cli

import (
	"github.com/spf13/cobra"

	"ringside.dev/ringside/cluster/internal/disk"
	"ringside.dev/ringside/cluster/internal/lifecycle"
)

func up(f *flags) *cobra.Command {
	s := lifecycle.Settings{}
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start the cluster, or what is missing of it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			s.Memory = 24683656 << 10
			s.Snapshotter = "overlayfs"
			s.Disk = disk.Verdict{Kind: "ssd"}
			return c.Up(cmd.Context(), s)
		},
	}
	cmd.Flags().IntVar(&s.Nodes, "nodes", defaultNodes, "number of nodes")
	cmd.Flags().IntVar(&s.APIPort, "api-port", defaultAPIPort, "port of 127.0.0.1 for the API server")
	cmd.Flags().IntVar(&s.Verbosity, "verbosity", 1, "log level of the Kubernetes daemons")
	return cmd
}

func down(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "down",
		Short: "End the cluster and remove everything it made",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			return c.Down(cmd.Context())
		},
	}
}

func loadImage(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "load-image ARCHIVE...",
		Short: "Bring OCI or docker image archives into all nodes",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			return c.LoadImages(cmd.Context(), args)
		},
	}
}

func status(f *flags) *cobra.Command        { return &cobra.Command{Use: "status"} }
func preflightOnly(f *flags) *cobra.Command { return &cobra.Command{Use: "preflight"} }
func forwards(f *flags) *cobra.Command      { return &cobra.Command{Use: "forward"} }
