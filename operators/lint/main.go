// Command lint checks Go code for what go vet and staticcheck do not check: comments, names and use of errors, and the conventions of Kubernetes' API.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/Antonboom/errname/pkg/analyzer"
	"github.com/polyfloyd/go-errorlint/errorlint"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/multichecker"
)

func main() {
	analyzers, err := apiAnalyzers()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(1)
	}
	analyzers = append(analyzers, comments, analyzer.New(), errorlint.NewAnalyzer())
	for _, a := range analyzers {
		except(a, exceptions)
	}
	multichecker.Main(analyzers...)
}

// except removes the findings of an analyzer that are exceptions.
func except(a *analysis.Analyzer, exceptions []exception) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		filtered := *pass
		filtered.Report = func(d analysis.Diagnostic) {
			for _, e := range exceptions {
				if e.linter == a.Name && strings.Contains(d.Message, e.about) {
					return
				}
			}
			pass.Report(d)
		}
		return run(&filtered)
	}
}
