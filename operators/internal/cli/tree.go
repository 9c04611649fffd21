package cli

import "github.com/spf13/cobra"

// Tree returns ringside's commands with their flags and help, for programs that read them. None of the commands can be run.
func Tree() *cobra.Command { return (&App{}).root() }
