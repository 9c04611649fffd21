package prose

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/cli"
)

// made are the names of what a reader makes by following the guides of docs/guides.
var made = regexp.MustCompile(`crier|shout|ForkJoin`)

// left reports whether a word is left to the reader: <run>, ..., [options], COMMAND, or a name that a guide makes.
func left(word string) bool {
	return strings.ContainsAny(word, "<>[]*…$") || strings.Contains(word, "...") || strings.ToUpper(word) == word || made.MatchString(word)
}

var (
	targetLine = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*):(?:[^=]|$)`)
	ringside   = regexp.MustCompile(`\$\(RINGSIDE\) ([a-z]+)`)
)

// makefile knows the targets of the Makefile, with the verb of ringside that each runs, and its text.
type makefile struct {
	text  string
	verbs map[string]string
}

func readMakefile(t *testing.T) makefile {
	t.Helper()
	m := makefile{text: Read(t, "Makefile"), verbs: map[string]string{}}
	at := targetLine.FindAllStringSubmatchIndex(m.text, -1)
	for i, match := range at {
		recipe := m.text[match[1]:]
		if i+1 < len(at) {
			recipe = m.text[match[1]:at[i+1][0]]
		}
		verb := ringside.FindStringSubmatch(recipe)
		for _, target := range strings.Fields(m.text[match[2]:match[3]]) {
			if _, ok := m.verbs[target]; !ok {
				m.verbs[target] = ""
			}
			if verb != nil {
				m.verbs[target] = verb[1]
			}
		}
	}
	m.verbs["compare-servers"] = m.verbs["experiment"] // which it calls
	return m
}

// has reports whether the Makefile uses a variable.
func (m makefile) has(variable string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(variable) + `\b`).MatchString(m.text)
}

// check returns what is wrong with a command that calls make.
func (m makefile) check(words []string, files map[string]bool) error {
	verb := ""
	for _, word := range words {
		if word == "-C" {
			return nil // another Makefile
		}
		if _, ok := m.verbs[word]; ok {
			verb = m.verbs[word]
		}
	}
	for _, word := range words {
		name, value, assigned := strings.Cut(word, "=")
		_, target := m.verbs[word]
		switch {
		case strings.HasPrefix(word, "-"), !assigned && left(word), target:
		case !assigned:
			return fmt.Errorf("the Makefile has no target %s", word)
		case !m.has(name):
			return fmt.Errorf("the Makefile has no variable %s", name)
		case name == "EXPERIMENT" && !left(value) && value != "" && !files["experiments/"+value+".yaml"] && !files[value]:
			return fmt.Errorf("there is no experiments/%s.yaml", value)
		case name == "ARGS" && verb != "":
			if err := checkRingside(append([]string{verb}, strings.Fields(value)...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkRingside returns what is wrong with the verb and the flags of a ringside command.
func checkRingside(words []string) error {
	root := cli.Commands()
	found, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	for _, word := range rest {
		switch {
		case !strings.HasPrefix(word, "-"):
			if found == root && !left(word) {
				return fmt.Errorf("ringside has no command %s", word)
			}
		case !hasFlag(found, word):
			return fmt.Errorf("%s has no flag %s", found.CommandPath(), word)
		}
	}
	return nil
}

func hasFlag(found *cobra.Command, word string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	if name == "" || name == "help" || name == "h" {
		return true
	}
	found.InheritedFlags() // adds the flags of the commands above
	if strings.HasPrefix(word, "--") {
		return found.Flags().Lookup(name) != nil
	}
	return found.Flags().ShorthandLookup(name[:1]) != nil
}

func TestEveryCommandOfThePagesExists(t *testing.T) {
	m, files := readMakefile(t), known(t)
	for name, page := range pages(t) {
		for _, c := range commandsOf(name, page, "make") {
			if err := m.check(c.words[1:], files); err != nil {
				t.Errorf("%s:%d: %s: %v; correct the command", c.page, c.line, strings.Join(c.words, " "), err)
			}
		}
		for _, c := range commandsOf(name, page, "build/bin/ringside", "ringside") {
			if err := checkRingside(c.words[1:]); err != nil {
				t.Errorf("%s:%d: %s: %v; correct the command", c.page, c.line, strings.Join(c.words, " "), err)
			}
		}
	}
}

func TestAStaleCommandIsFound(t *testing.T) {
	m, files := readMakefile(t), known(t)
	for line, says := range map[string]string{
		"make frobnicate":                    "no target frobnicate",
		"make experiment SERVERS=hsha":       "no variable SERVERS",
		"make experiment EXPERIMENT=none":    "no experiments/none.yaml",
		"make compare ARGS='--fail-om much'": "no flag --fail-om",
	} {
		if err := m.check(commandLines(line)[0][1:], files); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %s", line, err, says)
		}
	}
	for line, says := range map[string]string{
		"ringside frobnicate":        "no command frobnicate",
		"ringside list --frobnicate": "no flag --frobnicate",
		"ringside table -x":          "no flag -x",
	} {
		if err := checkRingside(commandLines(line)[0][1:]); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %s", line, err, says)
		}
	}
}
