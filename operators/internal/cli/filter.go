package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// filter selects which measurements of a run are shown. Empty lists select everything.
type filter struct {
	servers, operations []string
	valid               bool
}

func (f *filter) bind(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.servers, "server", nil, "only these `servers`, separated by commas")
	cmd.Flags().StringSliceVar(&f.operations, "operation", nil, "only these `operations`, as in read,write")
}

func (f *filter) bindValid(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.valid, "valid", false, "only valid measurements")
}

func (f *filter) everything() bool {
	return len(f.servers) == 0 && len(f.operations) == 0 && !f.valid
}

// check rejects names that no row has: a misspelled name would look like an empty run.
func (f *filter) check(rows []results.Row) error {
	var servers, operations []string
	for i := range rows {
		servers, operations = append(servers, rows[i].Server), append(operations, rows[i].Operation)
	}
	for _, chosen := range []struct {
		kind         string
		names, known []string
	}{{"server", f.servers, servers}, {"operation", f.operations, operations}} {
		slices.Sort(chosen.known)
		chosen.known = slices.Compact(chosen.known)
		for _, name := range chosen.names {
			if !slices.Contains(chosen.known, name) {
				return fail(exitBadInput, "no %s %q was measured: choose from %s", chosen.kind, name, strings.Join(chosen.known, ", "))
			}
		}
	}
	return nil
}

// rows returns the selected rows.
func (f *filter) rows(rows []results.Row) ([]results.Row, error) {
	if err := f.check(rows); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r results.Row) bool {
		return !among(f.servers, r.Server) || !among(f.operations, r.Operation) || f.valid && !r.Valid
	}), nil
}

// comparisons returns the selected comparisons; the baseline need not be named. In a comparison of two runs a server's name has its run
// as a prefix.
func (f *filter) comparisons(all []compare.Comparison) []compare.Comparison {
	return slices.DeleteFunc(slices.Clone(all), func(c compare.Comparison) bool {
		_, server, of := strings.Cut(c.Server, "/")
		if !of {
			server = c.Server
		}
		return !among(f.servers, server) || !among(f.operations, c.Cell.Operation)
	})
}

func among(chosen []string, name string) bool {
	return len(chosen) == 0 || slices.Contains(chosen, name)
}
