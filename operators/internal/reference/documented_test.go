package reference

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-shellwords"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/cli"
)

var (
	placeholder = regexp.MustCompile(`<[^<>]*>`)
	comment     = regexp.MustCompile(`(^| )#.*$`)
	separator   = regexp.MustCompile(` [|&;]+ |; `)
	assignment  = regexp.MustCompile(`^[A-Z_]+=`)
	// made are the names of what a reader makes by following the guides of docs/guides.
	made = regexp.MustCompile(`crier|shout|ForkJoin`)
)

// left reports whether a word is left to the reader: <run>, ..., [options], COMMAND, or a name that a guide makes.
func left(word string) bool {
	return strings.ContainsAny(word, "<>[]*…$") || strings.Contains(word, "...") || strings.ToUpper(word) == word || made.MatchString(word)
}

// commands returns the commands of a line of shell, each in words, without variables before the program.
func commands(line string) [][]string {
	var all [][]string
	for _, one := range separator.Split(comment.ReplaceAllString(placeholder.ReplaceAllString(line, "X"), ""), -1) {
		words, err := shellwords.Parse(one)
		for err == nil && len(words) > 0 && (words[0] == "$" || words[0] == "exec" || assignment.MatchString(words[0])) {
			words = words[1:]
		}
		if len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}

// makefile knows the verbs of ringside that get ARGS for each target of the Makefile, and its text.
type makefile struct {
	text  string
	verbs map[string][]string
}

func readMakefile(t *testing.T) makefile {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	m := makefile{string(content), map[string][]string{}}
	runs := regexp.MustCompile(`\$\(RINGSIDE\) ([a-z]+)[^\n]*(?:\$\(ARGS\)|\$\(RUN_FLAGS\))`)
	calls := regexp.MustCompile(`\$\(MAKE\)([^;\n]*)`)
	at := regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*):(?:[^=]|$)`).FindAllStringSubmatchIndex(m.text, -1)
	called := map[string][]string{}
	for i, match := range at {
		recipe := m.text[match[1]:]
		if i+1 < len(at) {
			recipe = m.text[match[1]:at[i+1][0]]
		}
		for target := range strings.FieldsSeq(m.text[match[2]:match[3]]) {
			m.verbs[target] = append(m.verbs[target], "")
			for _, verb := range runs.FindAllStringSubmatch(recipe, -1) {
				m.verbs[target] = append(m.verbs[target], verb[1])
			}
			for _, call := range calls.FindAllStringSubmatch(recipe, -1) {
				called[target] = append(called[target], strings.Fields(call[1])...)
			}
		}
	}
	for range 2 { // compare-servers calls experiment, which calls check
		for target, words := range called {
			for _, word := range words {
				m.verbs[target] = append(m.verbs[target], m.verbs[word]...)
			}
		}
	}
	return m
}

// check returns what is wrong with the words after make.
func (m makefile) check(words []string, files map[string]bool) error {
	var verbs []string
	for _, word := range words {
		if word == "-C" {
			return nil // another Makefile
		}
		verbs = append(verbs, m.verbs[word]...)
	}
	for _, word := range words {
		name, value, assigned := strings.Cut(word, "=")
		switch {
		case strings.HasPrefix(word, "-"), !assigned && left(word), m.verbs[word] != nil:
		case !assigned:
			return fmt.Errorf("the Makefile has no target %s", word)
		case !regexp.MustCompile(`\b` + name + `\b`).MatchString(m.text):
			return fmt.Errorf("the Makefile has no variable %s", name)
		case name == "EXPERIMENT" && !left(value) && value != "" && !files["experiments/"+value+".yaml"] && !files[value]:
			return fmt.Errorf("there is no experiments/%s.yaml", value)
		case name == "ARGS":
			for _, verb := range verbs {
				if err := checkRingside(append(strings.Fields(verb), strings.Fields(value)...)); verb != "" && err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkRingside returns what is wrong with the verb and the flags of a ringside command.
func checkRingside(words []string) error {
	top := cli.Commands()
	found, rest, err := top.Find(words)
	if err != nil {
		return err
	}
	found.InitDefaultHelpFlag()
	found.InheritedFlags() // adds the flags of the commands above
	for _, word := range rest {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case !strings.HasPrefix(word, "-"):
			if found == top && !left(word) {
				return fmt.Errorf("ringside has no command %s", word)
			}
		case name != "" && found.Flags().Lookup(name) == nil && (strings.HasPrefix(word, "--") || found.Flags().ShorthandLookup(name[:1]) == nil):
			return fmt.Errorf("%s has no flag %s", found.CommandPath(), word)
		}
	}
	return nil
}

// checkCommand returns what is wrong with a command that calls make or ringside.
func (m makefile) checkCommand(words []string, files map[string]bool) error {
	switch words[0] {
	case "make":
		return m.check(words[1:], files)
	case "ringside", "build/bin/ringside":
		return checkRingside(words[1:])
	}
	return nil
}

func TestPages_commandsExist(t *testing.T) {
	m, files := readMakefile(t), known(t)
	seen := 0
	for name, page := range pages(t) {
		for _, line := range page.code {
			for _, words := range commands(line) {
				seen++
				assert.NoError(t, m.checkCommand(words, files), "%s: %s", name, strings.Join(words, " "))
			}
		}
	}
	assert.Greater(t, seen, 500)
}

func TestPages_staleCommandIsFound(t *testing.T) {
	m, files := readMakefile(t), known(t)
	for line, says := range map[string]string{
		"make frobnicate":                      "no target frobnicate",
		"A=b make experiment SERVERS=hsha":     "no variable SERVERS",
		"make list && make x EXPERIMENT=<any>": "no target x",
		"make experiment EXPERIMENT=none":      "no experiments/none.yaml",
		"make compare ARGS='--fail-om much'":   "no flag --fail-om",
		"make experiment ARGS='--frobnicate'":  "no flag --frobnicate",
		"$ ringside frobnicate":                "no command frobnicate",
		"ringside list --frobnicate # <- here": "no flag --frobnicate",
		"ringside table -x | less":             "no flag -x",
	} {
		var errs []string
		for _, words := range commands(line) {
			if err := m.checkCommand(words, files); err != nil {
				errs = append(errs, err.Error())
			}
		}
		assert.Contains(t, strings.Join(errs, "; "), says, line)
	}
}

// labels documents the labels, annotations and port names that Ringside writes and reads.
func labels(root string) (*page, error) {
	api, err := constantsOf(root, apiTypes+"labels.go")
	if err != nil {
		return nil, err
	}
	runs, err := constantsOf(root, "operators/internal/runs/runs.go", "operators/internal/document/document.go")
	if err != nil {
		return nil, err
	}
	chart, err := constantsOf(root, "operators/internal/storechart/chart.go", "operators/internal/storechart/asked.go")
	if err != nil {
		return nil, err
	}
	p := newPage("Labels, annotations and ports", "`operators/api/v1beta1/labels.go` and the constants next to the code that reads them")
	meaning := []string{"Name", "Meaning"}
	p.heading(2, "Labels")
	p.paragraph("Ringside puts them on every object of a run, and reads them from the objects of a store.")
	p.table(meaning, constantRows(named(api, "Label"), api))
	p.heading(2, "Annotations of an Experiment")
	p.table(meaning, append(constantRows(named(runs, "Annotation"), runs), constantRows(named(api, "Annotation"), api)...))
	p.heading(2, "Annotations of a store's Chart.yaml")
	p.paragraph("The [store contract](store-contract.md) explains their use.")
	p.table(meaning, constantRows(named(chart, "annotation"), chart))
	p.heading(2, "Names of ports")
	p.table(meaning, constantRows(only(api, "ServerPortName", "CountersPortName", "ProfilePortName", "KillPortName", "MaintenancePortName"), api))
	p.heading(2, "Finalizer and proof")
	p.table(meaning, constantRows(only(api, "Finalizer", "ProofMark"), api))
	return p, nil
}

// only returns the constants of the given names.
func only(all []constant, names ...string) []constant {
	var found []constant
	for _, c := range all {
		if slices.Contains(names, c.Name) {
			found = append(found, c)
		}
	}
	return found
}

// Conditions have reasons of the documented list only.
func TestNoConditionHasAReasonOfItsOwn(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "operators/internal/controller/*.go"))
	require.NoError(t, err)
	literal := regexp.MustCompile(`ondition\(.*(?:true|false), "[A-Z]`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Empty(t, literal.FindAllString(string(text), -1), "%s: use a constant of the API", file)
	}
}

// The list is closed in both directions: code gives each reason of the list, and no word twice.
func TestEveryReasonIsGivenBySomeCode(t *testing.T) {
	reasons, err := constantsOf(root, apiTypes+"reason_types.go", "operators/internal/problem/reasons.go")
	require.NoError(t, err)
	require.NotEmpty(t, reasons)
	lists := map[string]bool{
		filepath.Join(root, "operators/internal/problem/reasons.go"): true,
		filepath.Join(root, "operators/internal/gates/catalogue.go"): true,
	}
	var code strings.Builder
	err = filepath.WalkDir(filepath.Join(root, "operators/internal"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || lists[path] {
			return err
		}
		text, err := os.ReadFile(path)
		code.Write(text)
		return err
	})
	require.NoError(t, err)
	names := map[string]string{}
	for _, reason := range reasons {
		assert.True(t, strings.Contains(code.String(), "."+reason.Name), "no code gives the reason %s", reason.Value)
		assert.Empty(t, names[reason.Value], "%s and %s are the same word", reason.Name, names[reason.Value])
		assert.NotEmpty(t, reason.Doc, reason.Name)
		names[reason.Value] = reason.Name
	}
}

const apiTypes = "operators/api/v1beta1/"

// conditions documents the condition types and reasons of the custom resources.
func conditions(root string) (*page, error) {
	experiment, err := constantsOf(root, apiTypes+"experiment_types.go")
	if err != nil {
		return nil, err
	}
	measurement, err := constantsOf(root, apiTypes+"measurement_types.go")
	if err != nil {
		return nil, err
	}
	reasons, err := constantsOf(root, apiTypes+"reason_types.go")
	if err != nil {
		return nil, err
	}
	p := newPage("Conditions and reasons", "`operators/api/v1beta1`")
	p.paragraph("`kubectl describe` shows them with a message. `kubectl wait --for=condition=Succeeded experiment/<experiment>-<run>` waits for the end of a run that does not fail: a failed run has it False, with the reason.\n" +
		"[Troubleshooting](../troubleshooting.md) names causes and fixes of failed runs.")
	meaning := []string{"Name", "Meaning"}
	p.heading(2, "Conditions of an Experiment")
	p.table(meaning, constantRows(named(experiment, "Condition"), experiment))
	p.heading(2, "Reasons of an Experiment's conditions")
	p.table(meaning, constantRows(named(experiment, "Reason"), experiment))
	p.heading(2, "Reasons of refused experiments")
	p.paragraph("The condition Accepted of a refused run has one of them: that of the first problem. `ringside` prints it at the end of each line, in brackets.")
	p.table(meaning, constantRows(named(reasons, "Refused"), reasons))
	p.heading(2, "Conditions of a Measurement")
	p.table(meaning, constantRows(named(measurement, "Condition"), measurement))
	p.heading(2, "Reasons of a Measurement's conditions")
	p.paragraph("A measurement that is not Valid has there the [reason of a gate](gates.md#reasons), or `NoResult`.")
	p.table(meaning, constantRows(named(measurement, "Reason"), measurement))
	p.heading(2, "Reasons of failed attempts")
	p.paragraph("`status.failures` of a Measurement lists the attempts that gave no result.")
	p.table(meaning, constantRows(named(measurement, "Failure"), measurement))
	return p, nil
}
