package evaluate

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Print writes a line per query, and then the problems. It returns an error if there are any.
func Print(w io.Writer, answers []Answer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DASHBOARD\tPANEL\tQUERY\tSERIES\tPOINTS\tANSWER")
	var faults int
	for _, answer := range answers {
		said := "ok"
		switch {
		case errors.Is(answer.Fault, ErrEmpty):
			said = "EMPTY"
		case answer.Fault != nil:
			said = "FAILED"
		case len(answer.Warnings) > 0:
			said = "warning"
		}
		if answer.Fault != nil {
			faults++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%s\n", answer.Dashboard, answer.Panel, answer.RefID, answer.Series, answer.Points, said)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, answer := range answers {
		if answer.Fault == nil && len(answer.Warnings) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s / %s %s\n", answer.Dashboard, answer.Panel, answer.RefID)
		for _, warning := range answer.Warnings {
			fmt.Fprintf(w, "  warning: %s\n", warning)
		}
		if answer.Fault != nil {
			for _, info := range answer.Infos {
				fmt.Fprintf(w, "  info: %s\n", info)
			}
			fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(answer.Fault.Error(), "\n", "\n  "))
		}
		if answer.Expr != "" {
			fmt.Fprintf(w, "  %s\n", answer.Expr)
		}
	}
	if faults > 0 {
		return fmt.Errorf("%d of %d queries failed or came back empty", faults, len(answers))
	}
	return nil
}
