package prose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// command is a command line that a page shows, without what is piped to or from it.
type command struct {
	page  string
	line  int
	words []string
}

// commandsOf returns the command lines of a page's code blocks and code spans that run one of the given programs. Variables before
// the program are left out.
func commandsOf(name string, page Page, programs ...string) []command {
	var found []command
	for _, code := range page.Code {
		text := strings.ReplaceAll(code.Text, "\\\n", "  ")
		for i, line := range strings.Split(text, "\n") {
			for _, words := range commandLines(line) {
				for len(words) > 0 && (words[0] == "$" || words[0] == "exec" || isVariable(words[0])) {
					words = words[1:]
				}
				for _, program := range programs {
					if len(words) > 0 && words[0] == program {
						found = append(found, command{name, code.Line + i, words})
					}
				}
			}
		}
	}
	return found
}

func isVariable(word string) bool {
	name, _, assigned := strings.Cut(word, "=")
	return assigned && name != "" && strings.ToUpper(name) == name && !strings.HasPrefix(name, "-")
}

// commandLines splits a line of shell into its commands, and each into words. Comments and redirections end a command.
func commandLines(line string) [][]string {
	var lines [][]string
	var words []string
	var word strings.Builder
	var quote rune
	started := false
	placeholder := false // between < and >
	flush := func() {
		if started {
			words = append(words, word.String())
		}
		word.Reset()
		started = false
	}
	end := func() {
		flush()
		if len(words) > 0 {
			lines = append(lines, words)
		}
		words = nil
	}
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, started = r, true
		case r == '<' && strings.Contains(line[i:], ">"):
			placeholder, started = true, true
			word.WriteRune(r)
		case r == '>' && placeholder:
			placeholder = false
			word.WriteRune(r)
		case r == '#' && !started, r == '>':
			end()
			return lines
		case r == '|' && !started, r == '&', r == ';':
			end()
		case r == ' ' || r == '\t':
			if placeholder {
				word.WriteRune(r)
			} else {
				flush()
			}
		default:
			started = true
			word.WriteRune(r)
		}
	}
	end()
	return lines
}

func TestCommandLinesAreSplitAsAShellDoes(t *testing.T) {
	for line, want := range map[string][][]string{
		"make experiment SERVER=a,b   # a comment":   {{"make", "experiment", "SERVER=a,b"}},
		`make list ARGS='--from s3://b/p'`:           {{"make", "list", "ARGS=--from s3://b/p"}},
		"make archive A=<run> TO=<a folder>":         {{"make", "archive", "A=<run>", "TO=<a folder>"}},
		"ringside table | less":                      {{"ringside", "table"}, {"less"}},
		"make up && make down; make help >file":      {{"make", "up"}, {"make", "down"}, {"make", "help"}},
		"make experiment CLUSTER=embedded|current X": {{"make", "experiment", "CLUSTER=embedded|current", "X"}},
		"# only a comment":                           nil,
	} {
		assert.Equal(t, want, commandLines(line), line)
	}
}

func TestCommandsAreFoundInCode(t *testing.T) {
	page := Parse([]byte("Run `make test`, or make it.\n\n    A=b make lint\n    $ ringside list \\\n      --from x\n    output\n"))
	assert.Equal(t, []command{
		{"page.md", 1, []string{"make", "test"}},
		{"page.md", 3, []string{"make", "lint"}},
		{"page.md", 4, []string{"ringside", "list", "--from", "x"}},
	}, commandsOf("page.md", page, "make", "ringside"))
}
