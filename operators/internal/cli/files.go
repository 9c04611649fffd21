package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/document"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func (a *App) experimentsCommand() *cobra.Command {
	f := folders{builtIn: a.BuiltIn}
	cmd := a.filesCommand(files{
		kind: "experiment", about: "QUESTION", find: document.Find, sources: f.experimentSources,
		long: "List the experiments that run and check accept by name, or print the file of one, to be changed and run by its path. A file in\n" +
			"experiments/ of the working directory comes before the built-in one of that name.",
	})
	f.bindExperiments(cmd)
	return cmd
}

func (a *App) profilesCommand() *cobra.Command {
	f := folders{builtIn: a.BuiltIn}
	cmd := a.filesCommand(files{
		kind: "profile", about: "ABOUT", find: document.FindProfile, sources: f.profileSources,
		long: "List the profiles that --profile accepts by name, or print the file of one, to be changed and used by its path. A file in\n" +
			"charts/profiles/ of the working directory comes before the built-in one of that name.",
	})
	f.bindCharts(cmd)
	return cmd
}

// files are those of a kind: in folders of the user, or built in.
type files struct {
	kind, about, long string
	sources           func() ([]source.Source, error)
	find              func(name string, sources ...source.Source) (source.File, error)
}

func (a *App) filesCommand(of files) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   of.kind + "s [NAME]",
		Short: "List the " + of.kind + "s, or print the file of one",
		Long:  of.long + "\n\n" + exitCodes,
		Args:  atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			sources, err := of.sources()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				return a.printFile(of, args[0], sources)
			}
			return a.listFiles(of, sources, format)
		},
	}
	cmd.ValidArgsFunction = completeFiles(of.sources)
	bindFormat(cmd, &format)
	return cmd
}

func (a *App) printFile(of files, name string, sources []source.Source) error {
	file, err := of.find(name, sources...)
	if err != nil {
		return err
	}
	text, err := file.Read()
	if err != nil {
		return fmt.Errorf("reading the %s %s: %w", of.kind, file.Path, err)
	}
	_, err = a.Out.Write(text)
	return err
}

func (a *App) listFiles(of files, sources []source.Source, format string) error {
	t := &textfmt.Table{Columns: []textfmt.Column{
		{Title: strings.ToUpper(of.kind), Name: of.kind}, {Title: "FROM", Name: "from"}, {Title: of.about, Name: strings.ToLower(of.about)},
	}}
	for _, name := range source.Names(document.Extension, sources...) {
		file, err := of.find(name, sources...)
		if err != nil {
			return err
		}
		text, err := file.Read()
		if err != nil {
			return fmt.Errorf("reading the %s %s: %w", of.kind, file.Path, err)
		}
		from := file.Path
		if file.BuiltIn {
			from = "built in"
		}
		t.Add(textfmt.Plain, name, from, headline(string(text)))
	}
	return t.Write(a.Out, format, a.Colour)
}

// headline returns the first line of a file, if it is a comment.
func headline(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	comment, found := strings.CutPrefix(line, "#")
	if !found {
		return ""
	}
	return strings.TrimSpace(comment)
}

// completeFiles completes the names of files.
func completeFiles(sources func() ([]source.Source, error)) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		from, err := sources()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return source.Names(document.Extension, from...), cobra.ShellCompDirectiveDefault
	}
}
