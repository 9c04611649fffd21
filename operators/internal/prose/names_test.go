package prose

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	repositoryPath = regexp.MustCompile(`^(?:(?:charts|cluster|dashboards|docs|images|operators)/[\w./-]+|experiments/[\w.-]+\.yaml)$`)
	testName       = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z]\w*$`)
	testFunction   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w*)\(`)
)

func TestEveryFileThatThePagesNameExists(t *testing.T) {
	files := known(t)
	for name, page := range pages(t) {
		for _, code := range page.Code {
			for _, word := range strings.Fields(code.Text) {
				word = strings.TrimRight(word, "/.,;:")
				// A page of a component may name a file from its own folder.
				if repositoryPath.MatchString(word) && !left(word) && !files[word] && !files[path.Join(path.Dir(name), word)] {
					t.Errorf("%s:%d: %s is no file of the repository; correct the name", name, code.Line, word)
				}
			}
		}
	}
}

// A promise names the test that keeps it.
func TestEveryTestThatThePagesNameExists(t *testing.T) {
	tests := map[string]bool{}
	for _, name := range Files(t, "*_test.go") {
		for _, match := range testFunction.FindAllStringSubmatch(Read(t, name), -1) {
			tests[match[1]] = true
		}
	}
	for name, page := range pages(t) {
		for _, code := range page.Code {
			if testName.MatchString(code.Text) && !tests[code.Text] {
				t.Errorf("%s:%d: there is no test %s; correct the name", name, code.Line, code.Text)
			}
		}
	}
}
