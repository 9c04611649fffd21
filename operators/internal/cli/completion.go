package cli

import (
	"io"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/archive"
)

// completionCommand prints the shell's completion script for commands, flags, experiments and runs.
func completionCommand() *cobra.Command {
	shells := map[string]func(*cobra.Command, io.Writer) error{
		"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"zsh":        (*cobra.Command).GenZshCompletion,
		"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
	}
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print the completion script of a shell",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Long: "Print the completion script of a shell. To enable completion in every new shell, run once:\n" +
			"  bash        ringside completion bash >/etc/bash_completion.d/ringside\n" +
			"  zsh         ringside completion zsh >\"${fpath[1]}/_ringside\"\n" +
			"  fish        ringside completion fish >~/.config/fish/completions/ringside.fish\n" +
			"  powershell  ringside completion powershell >>$PROFILE\n" +
			"To enable it in the current bash only: source <(ringside completion bash)\n\n" + exitCodes,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused("no shell given: choose from bash, zsh, fish, powershell")
			}
			write, known := shells[args[0]]
			if !known {
				return misused("unknown shell %q: choose from bash, zsh, fish, powershell", args[0])
			}
			return write(cmd.Root(), cmd.OutOrStdout())
		},
	}
}

// completeRuns completes the names of the runs in the results folder.
func completeRuns(where *place) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []string
		for _, folder := range archive.List(where.results) {
			names = append(names, archive.NameOf(folder))
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}
