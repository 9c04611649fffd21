package cli

import "github.com/spf13/cobra"

// ExitCodes is the list of exit codes that every help text ends with.
const ExitCodes = exitCodes

// Commands returns the command tree, with which tests compare documented commands.
func Commands() *cobra.Command { return (&App{}).root() }
