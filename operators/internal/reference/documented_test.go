package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
