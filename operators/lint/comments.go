package main

import (
	"fmt"
	"go/token"
	"os"

	"github.com/mgechev/revive/lint"
	"github.com/mgechev/revive/rule"
	"golang.org/x/tools/go/analysis"
)

// comments are revive's rules for comments: each package and each exported name has one, which begins with the name.
var comments = &analysis.Analyzer{
	Name: "comments",
	Doc:  "revive's rules exported and package-comments",
	Run: func(pass *analysis.Pass) (any, error) {
		files := map[string]*token.File{}
		var names []string
		for _, file := range pass.Files {
			at := pass.Fset.File(file.FileStart)
			if _, twice := files[at.Name()]; !twice {
				names = append(names, at.Name())
			}
			files[at.Name()] = at
		}
		exported := &rule.ExportedRule{}
		if err := exported.Configure(lint.Arguments{"disableStutteringCheck"}); err != nil {
			return nil, fmt.Errorf("configure revive: %w", err)
		}
		linter := lint.New(os.ReadFile, 0)
		failures, err := linter.Lint([][]string{names}, []lint.Rule{exported, &rule.PackageCommentsRule{}}, lint.Config{Confidence: 0.8})
		if err != nil {
			return nil, fmt.Errorf("run revive: %w", err)
		}
		for failure := range failures {
			pos := token.NoPos
			if at := files[failure.Position.Start.Filename]; at != nil && failure.Confidence >= 0.8 {
				pos = at.LineStart(failure.Position.Start.Line)
				pass.Reportf(pos, "%s", failure.Failure)
			} else if at == nil {
				return nil, fmt.Errorf("run revive: %s", failure.Failure)
			}
		}
		return nil, nil
	},
}
