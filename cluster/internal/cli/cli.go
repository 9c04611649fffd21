// Package cli implements the command line of ringside-cluster.
package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/lifecycle"
)

// Default values of the flags.
const (
	defaultState    = "build/cluster"
	defaultInstance = "ringside"
)

// flags holds the flags that all commands share.
type flags struct {
	state    string
	instance string
	bin      string
}

// New returns the root command.
func New() *cobra.Command {
	var f flags
	root := &cobra.Command{
		Use:           "ringside-cluster",
		Short:         "Run a real multi-node Kubernetes cluster on one Linux host",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().StringVar(&f.state, "state", defaultState, "directory of the cluster's files, including its kubeconfig")
	root.PersistentFlags().StringVar(&f.instance, "instance", defaultInstance, "name of the cluster; use another name to run a second cluster")
	root.PersistentFlags().StringVar(&f.bin, "bin", "", "directory of the programs that cluster/build.sh builds (default: the directory of this program)")
	root.AddCommand(up(&f), down(&f), status(&f), showUsage(&f), loadImage(&f), preflightOnly(&f), forwards(&f))
	root.AddCommand(initMachine(), provision(), enforcePolicies(), serveForward(), mountImages())
	return root
}

// cluster resolves the flags. It writes progress to out, each line with the time since the start.
func (f *flags) cluster(out io.Writer) (lifecycle.Cluster, error) {
	l, err := layout.New(f.instance, f.state, f.bin)
	if err != nil {
		return lifecycle.Cluster{}, err
	}
	tree, err := cgroup.Open(l.Runtime)
	if err != nil {
		return lifecycle.Cluster{}, err
	}
	started := time.Now()
	return lifecycle.Cluster{
		Layout: l,
		Tree:   tree,
		Now:    time.Now,
		Say: func(format string, args ...any) {
			fmt.Fprintf(out, "[%5.1fs] %s\n", time.Since(started).Seconds(), fmt.Sprintf(format, args...))
		},
	}, nil
}
