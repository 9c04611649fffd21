package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/cluster/internal/usage"
)

func showUsage(f *flags) *cobra.Command {
	var period time.Duration
	cmd := &cobra.Command{
		Use:   "usage",
		Short: "Show what uses the CPUs: the store and its load, or the cluster itself",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.cluster(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			look := func() (map[int]usage.Process, error) {
				pids, err := c.Tree.Processes(c.Layout.Cgroup())
				if err == nil && len(pids) == 0 {
					err = errors.New("the cluster does not run: start it with ringside-cluster up")
				}
				return usage.Read("/proc", pids), err
			}
			before, err := look()
			if err != nil {
				return err
			}
			select {
			case <-cmd.Context().Done():
				return cmd.Context().Err()
			case <-time.After(period):
			}
			after, err := look()
			if err != nil {
				return err
			}
			usage.Write(cmd.OutOrStdout(), usage.Between(before, after), period)
			return nil
		},
	}
	cmd.Flags().DurationVar(&period, "for", time.Minute, "how long to measure; a process that ends meanwhile is not counted")
	return cmd
}
