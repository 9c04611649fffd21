package cli

import (
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/cluster/internal/forward"
	"ringside.dev/ringside/cluster/internal/lifecycle"
)

func up(f *flags) *cobra.Command {
	var request lifecycle.Request
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start the cluster, or those of its parts that do not run",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if err := c.Up(cmd.Context(), request); err != nil {
				return err
			}
			c.Say("up: export KUBECONFIG=%s", c.Layout.Kubeconfig())
			return nil
		},
	}
	requestFlags(cmd, &request)
	return cmd
}

func preflightOnly(f *flags) *cobra.Command {
	var request lifecycle.Request
	cmd := &cobra.Command{
		Use:   "preflight",
		Short: "Check whether this host can run the cluster, without starting or installing anything",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			return c.Preflight(cmd.Context(), request)
		},
	}
	requestFlags(cmd, &request)
	return cmd
}

// refuseZero rejects an explicit zero, which is also the value of a flag that was not set.
func refuseZero(cmd *cobra.Command, _ []string) error {
	for _, flag := range []string{"nodes", "api-port", "registry"} {
		if value := cmd.Flags().Lookup(flag); value.Changed && value.Value.String() == "0" {
			return fmt.Errorf("--%s is 0: use a number of at least 1", flag)
		}
	}
	return nil
}

func requestFlags(cmd *cobra.Command, request *lifecycle.Request) {
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if err := refuseZero(cmd, args); err != nil || request.RegistryUsers == "" {
			return err
		}
		var err error // the cluster records the file name, so it must be absolute
		request.RegistryUsers, err = filepath.Abs(request.RegistryUsers)
		return err
	}
	cmd.Flags().IntVar(&request.Nodes, "nodes", 0, fmt.Sprintf("number of nodes (default %d)", lifecycle.DefaultNodes))
	cmd.Flags().IntVar(&request.APIPort, "api-port", 0, fmt.Sprintf("port of 127.0.0.1 for the API server (default %d)", lifecycle.DefaultAPIPort))
	cmd.Flags().IntVar(&request.RegistryPort, "registry", 0, "run an image registry at localhost:PORT, for this host and the nodes (default: none)")
	cmd.Flags().StringVar(&request.RegistryUsers, "registry-users", "", "htpasswd FILE (htpasswd -B) of the users who may push to and pull from the registry (default: everybody)")
	cmd.Flags().IntVar(&request.Verbosity, "verbosity", 0, "log level of the Kubernetes daemons (default 1)")
}

func down(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "down",
		Short: "Stop the cluster and remove everything that it created",
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

func status(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the status of the cluster's parts; fail unless all are healthy",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			return c.Status(cmd.Context(), cmd.OutOrStdout())
		},
	}
}

func loadImage(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "load-image ARCHIVE...",
		Short: "Load OCI or Docker image archives into all nodes",
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

// forwardName matches names that are safe as file names.
var forwardName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$`)

func forwards(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "forward NAME PORT TARGET",
		Short: "Make a service of the cluster reachable at 127.0.0.1:PORT until the cluster stops",
		Long: `Make a service of the cluster reachable at 127.0.0.1:PORT until the cluster stops.
TARGET is host:port as seen from a pod, as in monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090, or an IP address and port.`,
		Args: cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			wanted, err := parseForward(args[0], args[1], args[2])
			if err != nil {
				return err
			}
			return c.AddForward(cmd.Context(), wanted)
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a forward",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if !forwardName.MatchString(args[0]) {
				return fmt.Errorf("forward name %q: use lowercase letters, digits and dashes", args[0])
			}
			return c.RemoveForward(cmd.Context(), args[0])
		},
	})
	return cmd
}

func parseForward(name, port, target string) (forward.Forward, error) {
	if !forwardName.MatchString(name) {
		return forward.Forward{}, fmt.Errorf("forward name %q: use lowercase letters, digits and dashes", name)
	}
	if forward.Reserved(name) {
		return forward.Forward{}, fmt.Errorf("forward name %q is reserved for the cluster: choose another", name)
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 1 || number > 65535 {
		return forward.Forward{}, fmt.Errorf("port %q: use a number from 1 to 65535", port)
	}
	if host, _, err := net.SplitHostPort(target); err != nil || host == "" {
		return forward.Forward{}, fmt.Errorf("target %q: use host:port, as in monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090", target)
	}
	return forward.Service(name, number, target), nil
}
