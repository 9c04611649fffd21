package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

//go:generate go run ./generate ../../../docs/reference/cli-cluster.md

// Reference returns docs/reference/cli-cluster.md: the help text of each command.
func Reference() (string, error) {
	var page strings.Builder
	page.WriteString("<!-- Generated from the commands in `cluster/internal/cli`: change that, then run `make generate`. -->\n# The ringside-cluster command\n\n" +
		"`make` builds it as `build/bin/ringside-cluster`; [make targets](make.md) call it. It ends with exit code 0, or with 1 after an error. See also\n" +
		"[Embedded cluster](../../cluster/README.md).\n")
	root := New()
	err := describe(&page, root)
	return page.String(), err
}

func describe(page *strings.Builder, command *cobra.Command) error {
	if command.Hidden {
		return nil
	}
	var help strings.Builder
	command.InitDefaultHelpFlag()
	command.SetOut(&help)
	if err := command.Help(); err != nil {
		return fmt.Errorf("print the help of %s: %w", command.CommandPath(), err)
	}
	fmt.Fprintf(page, "\n## %s\n\n```text\n%s\n```\n", command.CommandPath(), strings.TrimSpace(help.String()))
	for _, inner := range command.Commands() {
		if err := describe(page, inner); err != nil {
			return err
		}
	}
	return nil
}
