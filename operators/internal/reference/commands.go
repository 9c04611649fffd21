package reference

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/cli"
)

// commands documents the ringside command: each help text as the terminal shows it.
func commands(string) (*page, error) {
	p := newPage("The ringside command", "the commands in `operators/internal/cli`")
	p.paragraph("`make` builds it as `build/bin/ringside`; [make targets](make.md) call it. `ringside COMMAND --help` prints these texts. See also\n" +
		"[exit codes](exit-codes.md) and the [ringside-cluster command](cli-cluster.md).")
	root := cli.Commands()
	for _, command := range append([]*cobra.Command{root}, root.Commands()...) {
		if !command.IsAvailableCommand() {
			continue
		}
		text, err := help(command)
		if err != nil {
			return nil, err
		}
		p.heading(2, command.CommandPath())
		p.block(text)
	}
	return p, nil
}

// help is the text of a command's --help.
func help(command *cobra.Command) (string, error) {
	var out strings.Builder
	command.InitDefaultHelpFlag()
	command.SetOut(&out)
	if err := command.Help(); err != nil {
		return "", fmt.Errorf("print the help of %s: %w", command.CommandPath(), err)
	}
	return out.String(), nil
}

var exitCode = regexp.MustCompile(`^  (\d+) +(\S.*)$`)

// exitCodes documents the exit codes of the ringside command, from the list in its help.
func exitCodes(root string) (*page, error) {
	rows := exitCodeRows(cli.ExitCodes)
	if len(rows) == 0 {
		return nil, fmt.Errorf("the help of ringside lists no exit codes; correct its list, or how exitCodeRows reads it")
	}
	reasons, err := constantsOf(root, "operators/internal/problem/reasons.go")
	if err != nil {
		return nil, err
	}
	p := newPage("Exit codes", "the help of the ringside command in `operators/internal/cli`, and `operators/internal/problem`")
	p.paragraph("Every command of `ringside` ends with one of these codes. `make` itself ends with code 2 when a command fails: in a pipeline, call\n" +
		"`build/bin/ringside` ([Use Ringside in CI](../guides/ci.md)). [Troubleshooting](../troubleshooting.md#exit-codes) says what to do.")
	p.table([]string{"Code", "Meaning"}, rows)
	p.paragraph("`ringside-cluster` and `ringside-images` end with 0, or with 1 after an error.")
	p.heading(2, "Reasons")
	p.paragraph("A line of `ringside` that reports a problem ends with its machine-readable reason in brackets, if there is one. The reasons of refused\n" +
		"experiments and of failed runs are in [Conditions and reasons](conditions.md). The others are:")
	p.table([]string{"Reason", "Meaning"}, constantRows(reasons, reasons))
	return p, nil
}

// exitCodeRows reads the list: a line for each code, and further lines of its meaning.
func exitCodeRows(list string) [][]string {
	var rows [][]string
	for line := range strings.SplitSeq(list, "\n") {
		if found := exitCode.FindStringSubmatch(line); found != nil {
			rows = append(rows, []string{found[1], found[2]})
		} else if more := strings.TrimSpace(line); more != "" && len(rows) > 0 {
			rows[len(rows)-1][1] += " " + more
		}
	}
	for _, row := range rows {
		row[1] = prose(stopped(row[1]))
	}
	return rows
}
