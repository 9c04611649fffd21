package reference

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// internalPackages is the folder of the packages that have layers, from the repository's root.
const internalPackages = "operators/internal"

// layer is a group of packages. A package imports only packages further down: of lower layers, or named after it in its own.
type layer struct {
	name, about string
	packages    []string
}

// layers are all packages of operators/internal, from the top down.
var layers = []layer{
	{"Texts and tests", "generate and verify texts, and replace what tests cannot have", []string{"reference/generate", "reference", "prose", "storechart/conform",
		"history/planted", "runs/simulated", "compare/simulate", "archive/depot/s3fake", "storechart/pushed"}},
	{"Programs", "are what the operator, the command, meter and the fault helper do", []string{"operator", "controller", "cli", "meter", "meter/idle", "meter/loadtool", "meter/clock",
		"meter/counters", "meter/link", "meter/profile", "faults/inflict"}},
	{"Output", "shows runs to people", []string{"report", "report/flame", "history", "answer", "runs/progress"}},
	{"Rules", "decide what can be run, and when a run has measured enough", []string{"validation", "compare/precision"}},
	{"Cluster and storage", "read and change what is outside of the program", []string{"faults", "store", "installation", "storechart", "runs", "archive/depot", "history/remotewrite"}},
	{"Analysis", "turns measurements into verdicts", []string{"compare", "archive", "results", "gates"}},
	{"Input", "is what a run consists of", []string{"loadgen", "plan", "document"}},
	{"Base", "has data, formats and arithmetic that the others share", []string{"compare/ratio", "measure", "compare/published", "profiles", "settings", "meter/orders", "faults/helper", "problem",
		"source", "textfmt"}},
}

// packagesPage documents the packages of operators/internal, and which may import which.
func packagesPage(root string) (*page, error) {
	p := newPage("Packages of the Go code", "`operators/internal/reference/packages.go` and the comments of the packages")
	p.paragraph("For maintainers. `operators/internal` has these layers. A package imports only packages further down on this page: of lower layers, or named\n" +
		"after it in its own. A test compares this with `go list`, so a new package needs a place here.")
	p.block(picture(layers))
	for _, l := range layers {
		var rows [][]string
		for _, name := range l.packages {
			about, err := synopsis(filepath.Join(root, internalPackages, name))
			if err != nil {
				return nil, err
			}
			rows = append(rows, []string{code(name), prose(sentence(about))})
		}
		p.heading(2, l.name)
		p.table([]string{"Package", "What it does"}, rows)
	}
	return p, nil
}

// picture draws the layers as boxes on top of each other.
func picture(layers []layer) string {
	const width = 96
	edge := strings.Repeat("─", width+2)
	var b strings.Builder
	for i, l := range layers {
		corners := []string{"├", "┤"}
		if i == 0 {
			corners = []string{"┌", "┐"}
		}
		fmt.Fprintf(&b, "%s%s%s\n", corners[0], edge, corners[1])
		for _, line := range append([]string{l.name + " " + l.about + "."}, filled(l.packages, width-2)...) {
			fmt.Fprintf(&b, "│ %-*s │\n", width, line)
		}
	}
	fmt.Fprintf(&b, "├%s┤\n│ %-*s │\n└%s┘", edge, width, "operators/api: the custom resources. operators/metrics: the names of metrics.", edge)
	return b.String()
}

// filled breaks words into indented lines of a width.
func filled(words []string, width int) []string {
	var lines []string
	for _, word := range words {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+2+len(word) <= width {
			lines[last] += "  " + word
			continue
		}
		lines = append(lines, "  "+word)
	}
	return lines
}

// synopsis returns the first sentence of a package's comment, without the package's name.
func synopsis(folder string) (string, error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("read a package: %w", err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, file.Name()), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return "", fmt.Errorf("read a package: %w", err)
		}
		if parsed.Doc == nil {
			continue
		}
		words := strings.SplitN(new(doc.Package).Synopsis(parsed.Doc.Text()), " ", 3) // Package name ...
		return words[len(words)-1], nil
	}
	return "", fmt.Errorf("%s has no package comment; begin one with: Package %s", folder, filepath.Base(folder))
}
