package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// ExitCodes is the list of exit codes that every help text ends with.
const ExitCodes = exitCodes

// Commands returns the command tree for docs/reference. Its help texts omit the exit codes, which have their own page.
func Commands() *cobra.Command {
	root := (&App{}).root()
	for _, command := range append(root.Commands(), root) {
		command.Long = strings.TrimSpace(strings.TrimSuffix(command.Long, exitCodes))
	}
	return root
}
