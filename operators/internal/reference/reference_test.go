// Package reference generates pages of docs/reference from the code, so that each fact has one place: the code that acts on it. Its tests verify the
// links and the commands of all pages.
package reference

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/cli"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/results"
)

//go:generate go test -count=1 -run TestEveryPageIsCurrent . -write

var write = flag.Bool("write", false, "write the pages")

// Folder of the pages, from the repository's root.
const Folder = "docs/reference"

// Page is a page of the folder.
type Page struct {
	File string
	Text []byte
}

// Pages generates all pages from the code of a repository whose root is given.
func Pages(root string) ([]Page, error) {
	var pages []Page
	for _, made := range []struct {
		file string
		make func(root string) (*page, error)
	}{
		{"crd.md", resources},
		{"conditions.md", conditions},
		{"gates.md", gatesPage},
		{"csv.md", columns},
		{"labels.md", labels},
	} {
		text, err := made.make(root)
		if err != nil {
			return nil, fmt.Errorf("generate %s: %w", filepath.Join(Folder, made.file), err)
		}
		pages = append(pages, Page{made.file, []byte(text.String())})
	}
	return pages, nil
}

const root = "../../.."

func generated(t *testing.T) []Page {
	t.Helper()
	pages, err := Pages(root)
	require.NoError(t, err)
	return pages
}

func TestEveryPageIsCurrent(t *testing.T) {
	for _, page := range generated(t) {
		if *write {
			require.NoError(t, os.WriteFile(filepath.Join(root, Folder, page.File), page.Text, 0o644))
		}
		got, err := os.ReadFile(filepath.Join(root, Folder, page.File))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(page.Text, got), "%s/%s is out of date: run `make generate`", Folder, page.File)
	}
}

func TestEveryRowHasAMeaning(t *testing.T) {
	empty := regexp.MustCompile(`(?m)^\|.*\|  \|$`)
	for _, page := range generated(t) {
		if page.File == "crd.md" || page.File == "gates.md" { // fields that their names explain; limits of gates
			continue
		}
		assert.Empty(t, empty.FindAllString(string(page.Text), -1), page.File)
	}
}

func TestEveryLinkWithinAPageLeadsToAHeading(t *testing.T) {
	links := regexp.MustCompile(`\]\((#[^)]*)\)`)
	headings := regexp.MustCompile(`(?m)^#+ (.*)$`)
	for _, page := range generated(t) {
		anchors := map[string]bool{}
		for _, heading := range headings.FindAllStringSubmatch(string(page.Text), -1) {
			assert.False(t, anchors[anchor(heading[1])], "%s has two headings %q", page.File, heading[1])
			anchors[anchor(heading[1])] = true
		}
		for _, link := range links.FindAllStringSubmatch(string(page.Text), -1) {
			assert.True(t, anchors[link[1]], "%s has no heading for %s", page.File, link[1])
		}
	}
}

// These pages are written by hand.
func TestThePageOfExitCodesHasAllCodesAndReasons(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, Folder, "exit-codes.md"))
	require.NoError(t, err)
	codes := regexp.MustCompile(`(?m)^  (\d+) `).FindAllStringSubmatch(cli.ExitCodes, -1)
	require.NotEmpty(t, codes)
	for _, found := range codes {
		assert.Contains(t, string(text), "\n| "+found[1]+" | ")
	}
	reasons, err := constantsOf(root, "operators/internal/problem/reasons.go")
	require.NoError(t, err)
	for _, reason := range reasons {
		assert.Contains(t, string(text), "\n| `"+reason.Value+"` | ")
	}
}

func TestThePageOfMetricsHasAllThatOurCodeNames(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, Folder, "metrics.md"))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "operators/metrics/*.go"))
	require.NoError(t, err)
	count := 0
	for _, file := range files {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`"(ringside_[a-z0-9_]+)"`).FindAllStringSubmatch(string(code), -1) {
			assert.Contains(t, string(text), "`"+name[1]+"`", filepath.Base(file))
			count++
		}
	}
	assert.Positive(t, count)
}

func TestEveryColumnIsDocumented(t *testing.T) {
	for _, column := range results.Columns() {
		assert.NotEmpty(t, column.About, column.Name)
	}
	for _, column := range cli.ListColumns() {
		assert.NotEmpty(t, column.About, column.Name)
	}
}

// The names of columns are a contract with those who read the files.
func TestKeepsTheColumnsOfTheList(t *testing.T) {
	var names []string
	for _, column := range cli.ListColumns() {
		names = append(names, column.Name)
	}
	assert.Equal(t, "experiment,run,state,finished,planned,invalid,results,next,export", strings.Join(names, ","))
}

func TestEscapesMarkdown(t *testing.T) {
	assert.Equal(t, "a &lt;b> \\*c\\* `d*|<e>` \\[f\\]", prose("a <b> *c*\n  `d*|<e>` [f]"))
	p := newPage("T", "x")
	p.table([]string{"A", "B"}, [][]string{{"`a|b`", "c\nd"}})
	assert.True(t, strings.HasSuffix(p.String(), "\n| A | B |\n|---|---|\n| `a\\|b` | c d |\n"), p.String())
}

func TestSentencesEndOnce(t *testing.T) {
	for text, want := range map[string]string{"": "", " a b ": "A b.", "A.": "A.", "a (b.)": "A (b.)", "a:": "A:"} {
		assert.Equal(t, want, sentence(text))
	}
}

func TestReadsConstantsWithTheirComments(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "c.go"), []byte(`package c

const (
	// A is the first, before B.
	A = "a"
	// B: the <second>.
	B = "b"
	n = 1
	C = "c"
	G = "g" // on a line
)

// D counts.
const D = "d"
`), 0o644))
	all, err := constantsOf(folder, "c.go")
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"`a`", "The first, before `b`."}, {"`b`", "The &lt;second>."}, {"`c`", ""}, {"`g`", "On a line."}, {"`d`", "Counts."}}, constantRows(all, all))
}

const machineProfile = "charts/profiles/one-machine.yaml"

// gatesPage documents the gates: what each checks, and what to do when it fails.
func gatesPage(root string) (*page, error) {
	embedded, err := profileModes(filepath.Join(root, machineProfile))
	if err != nil {
		return nil, err
	}
	p := newPage("Gates", "`operators/internal/gates/catalogue.go` and `"+machineProfile+"`")
	p.paragraph("A gate checks one condition of a measurement. In mode `Enforce` a failed check makes the row invalid: it stays in measurements.csv and is\n" +
		"compared with nothing. In mode `Warn` the row has a warning. In mode `Off` nothing is checked. The text before the colon of a reason or a\n" +
		"warning names the gate. While a profile is taken (`phases[].profile`), every gate in mode `Enforce` only warns. In prepare\n" +
		"phases and warm-up rounds, gates that judge figures only warn. Gates of the load are not checked in idle phases.")
	p.paragraph("A comparison may leave out any number of rows that are invalid by " + neutral(gates.Catalogue()) + ": these do not depend on what is measured.\n" +
		"Rows that another gate made invalid are [lost rounds](../concepts/statistics.md#lost-rounds).")
	p.heading(2, "Modes")
	p.paragraph("`spec.gates` of an experiment file sets mode and limit. The last column shows what `" + machineProfile + "` sets on the embedded cluster, kind, k3d\n" +
		"and minikube.")
	p.table([]string{"Gate", "Field", "Default", "Limit", "Default of the limit", "One machine"}, modeRows(gates.Catalogue(), embedded))
	p.heading(2, "Checks")
	for _, gate := range gates.Catalogue() {
		p.heading(3, gate.Name)
		p.paragraph("* Fails if: " + gate.Fails + "\n* Cause: " + gate.Cause + "\n* Fix: " + gate.Fix)
	}
	rows, err := reasonRows(root, gates.Catalogue())
	if err != nil {
		return nil, err
	}
	p.heading(2, "Reasons")
	p.paragraph("Machine-readable reasons, one for each kind of failure: in `status.reasons` and `status.warningReasons` of a Measurement, in `reasons` and\n" +
		"`warning_reasons` of measurements.csv, and, for the first message, in the condition Valid. A measurement without a result has the\n" +
		"[reasons of its failed attempts](conditions.md#reasons-of-failed-attempts).")
	p.table([]string{"Reason", "Gate", "Meaning"}, rows)
	return p, nil
}

// neutral lists the gates whose findings do not depend on what is measured.
func neutral(all []gates.Gate) string {
	var names []string
	for _, gate := range all {
		if gate.Neutral {
			names = append(names, "`"+gate.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}

// reasonRows returns a row for each reason of a gate.
func reasonRows(root string, all []gates.Gate) ([][]string, error) {
	reasons, err := constantsOf(root, apiTypes+"reason_types.go")
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, reason := range named(reasons, "Gate") {
		at := slices.IndexFunc(all, func(g gates.Gate) bool { return slices.Contains(g.Reasons, v1beta1.Reason(reason.Value)) })
		if at < 0 {
			return nil, fmt.Errorf("no gate in the catalogue has the reason %s: add it there", reason.Value)
		}
		rows = append(rows, []string{code(reason.Value), fmt.Sprintf("[%s](%s)", all[at].Name, anchor(all[at].Name)), reason.about(reasons)})
	}
	return rows, nil
}

func modeRows(all []gates.Gate, embedded map[string][]string) [][]string {
	var rows [][]string
	for _, gate := range all {
		field := code(gate.Field)
		if gate.Field == "" {
			field = "none"
		}
		rows = append(rows, []string{
			fmt.Sprintf("[%s](%s)", gate.Name, anchor(gate.Name)), field, code(string(gate.Mode())), code(gate.Limit), code(gate.Tolerated),
			strings.Join(embedded[gate.Field], "; "),
		})
	}
	return rows
}

// profileModes are the modes that a profile sets, by the gates' fields: for all experiments, or for those that a patch matches.
func profileModes(file string) (map[string][]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the profile: %w", err)
	}
	var profile struct {
		Patches []struct {
			Match struct{ Experiment, Store string }
			Patch struct {
				Spec struct{ Gates map[string]any }
			}
		}
	}
	if err := yaml.Unmarshal(content, &profile); err != nil {
		return nil, fmt.Errorf("decode %s: %w", file, err)
	}
	modes := map[string][]string{}
	for _, patch := range profile.Patches {
		for field, mode := range patch.Patch.Spec.Gates {
			text := code(fmt.Sprint(mode))
			if of := patch.Match.Experiment + patch.Match.Store; of != "" {
				text += " in " + of
			}
			modes[field] = append(modes[field], text)
		}
	}
	return modes, nil
}
