package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	makeSection  = regexp.MustCompile(`^# --- (.*?) -+$`)
	makeVariable = regexp.MustCompile(`^([A-Z_0-9]+) +\?=\s*([^#]*)#\s*(\S.*)$`)
	makeTarget   = regexp.MustCompile(`^([a-z0-9-]+):.*? ## (.+)$`)
)

// makefile documents the variables and targets of the Makefile.
func makefile(root string) (*page, error) {
	content, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		return nil, fmt.Errorf("read the Makefile: %w", err)
	}
	variables, sections := makeParts(string(content))
	p := newPage("make targets and variables", "the comments of the `Makefile`")
	p.paragraph("`make help` prints the targets. Give variables on the command line: `make experiment SERVER=disruptor,hsha`.")
	p.heading(2, "Variables")
	p.table([]string{"Variable", "Default", "Meaning"}, variables)
	for _, section := range sections {
		if len(section.rows) == 0 {
			continue
		}
		p.heading(2, "Targets: "+section.title)
		p.table([]string{"Target", "What it does"}, section.rows)
	}
	return p, nil
}

// makeTargets are the documented targets of one section of the Makefile.
type makeTargets struct {
	title string
	rows  [][]string
}

func makeParts(text string) (variables [][]string, sections []makeTargets) {
	sections = []makeTargets{{title: "general"}} // those before the first section
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case makeSection.MatchString(line):
			sections = append(sections, makeTargets{title: makeSection.FindStringSubmatch(line)[1]})
		case makeVariable.MatchString(line):
			found := makeVariable.FindStringSubmatch(line)
			variables = append(variables, []string{code(found[1]), code(strings.TrimSpace(found[2])), prose(stopped(found[3]))})
		case makeTarget.MatchString(line):
			found := makeTarget.FindStringSubmatch(line)
			last := &sections[len(sections)-1]
			last.rows = append(last.rows, []string{code("make " + found[1]), prose(sentence(found[2]))})
		}
	}
	return variables, sections
}
