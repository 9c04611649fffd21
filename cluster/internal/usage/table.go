package usage

import (
	"fmt"
	"io"
	"time"
)

// Write writes the shares as a table. Percentages refer to the cluster's own use, so they do not depend on other
// programs on the host.
func Write(out io.Writer, shares []Share, took time.Duration) {
	var all, kept time.Duration
	for _, share := range shares {
		all += share.Used
		if share.Kept {
			kept += share.Used
		}
	}
	fmt.Fprintf(out, "%.0f s: the cluster used %.1f s of CPU time\n", took.Seconds(), all.Seconds())
	line := func(used time.Duration, what string) {
		fmt.Fprintf(out, "%8.2f s  %5.1f %%  %s\n", used.Seconds(), percent(used, all), what)
	}
	for _, share := range shares {
		line(share.Used, share.Kind)
	}
	line(kept, "of it for running and monitoring the cluster (without the store's own exporters)")
}

func percent(part, all time.Duration) float64 {
	if all == 0 {
		return 0
	}
	return 100 * part.Seconds() / all.Seconds()
}
