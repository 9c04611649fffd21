package cli

import (
	"errors"
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
		Short: "Start the cluster, or what is missing of it",
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
		Short: "Check whether this host can run the cluster; start and install nothing",
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

// refuseZero tells a zero that was typed from a flag that was left out.
func refuseZero(cmd *cobra.Command, _ []string) error {
	for _, flag := range []string{"nodes", "api-port", "registry"} {
		if value := cmd.Flags().Lookup(flag); value.Changed && value.Value.String() == "0" {
			return fmt.Errorf("--%s is 0: choose a number from 1", flag)
		}
	}
	return nil
}

func requestFlags(cmd *cobra.Command, request *lifecycle.Request) {
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if err := refuseZero(cmd, args); err != nil || request.RegistryUsers == "" {
			return err
		}
		var err error // the cluster keeps the file's name: one that begins where its user stands would not do
		request.RegistryUsers, err = filepath.Abs(request.RegistryUsers)
		return err
	}
	cmd.Flags().IntVar(&request.Nodes, "nodes", 0, fmt.Sprintf("number of nodes (default %d)", lifecycle.DefaultNodes))
	cmd.Flags().IntVar(&request.APIPort, "api-port", 0, fmt.Sprintf("port of 127.0.0.1 for the API server (default %d)", lifecycle.DefaultAPIPort))
	cmd.Flags().IntVar(&request.RegistryPort, "registry", 0, "run a registry of images, localhost:PORT to this host and to the nodes (default none)")
	cmd.Flags().StringVar(&request.RegistryUsers, "registry-users", "", "an htpasswd FILE (htpasswd -B): only who is in it may push to the registry and pull from it (default everybody)")
	cmd.Flags().IntVar(&request.Verbosity, "verbosity", 0, "log level of the Kubernetes daemons (default 1)")
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

func status(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show how the cluster's parts are; fails unless all are well",
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

// forwardName keeps forwards apart from the API server's, and is safe as a file name.
var forwardName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$`)

func forwards(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "forward NAME PORT TARGET",
		Short: "Make a service of the cluster reachable at 127.0.0.1:PORT until the cluster is taken down",
		Long: `Make a service of the cluster reachable at 127.0.0.1:PORT until the cluster is taken down.
TARGET is host:port as a pod would write it: monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090, or an IP address.`,
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
		Short: "End a forward",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if !forwardName.MatchString(args[0]) {
				return fmt.Errorf("%q is not the name of a forward", args[0])
			}
			return c.RemoveForward(cmd.Context(), args[0])
		},
	})
	return cmd
}

func parseForward(name, port, target string) (forward.Forward, error) {
	if !forwardName.MatchString(name) {
		return forward.Forward{}, fmt.Errorf("forward name %q: use small letters, digits and dashes", name)
	}
	if forward.Reserved(name) {
		return forward.Forward{}, fmt.Errorf("forward name %q is the cluster's own: choose another", name)
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 1 || number > 65535 {
		return forward.Forward{}, fmt.Errorf("port %q: give a number from 1 to 65535", port)
	}
	if host, _, err := net.SplitHostPort(target); err != nil || host == "" {
		return forward.Forward{}, errors.New("target must be host:port, as monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090")
	}
	return forward.Service(name, number, target), nil
}
