package prose

import (
	"regexp"
	"strings"

	"ringside.dev/ringside/operators/internal/markdown"
)

// span matches code in a comment.
var span = regexp.MustCompile("`[^`\n]*`")

// HashComments returns the comments of a YAML file, a shell script or a Makefile. Adjacent lines of comments are one text.
func HashComments(source string) []markdown.Prose {
	var found []markdown.Prose
	inside := false
	for i, line := range strings.Split(source, "\n") {
		text, ok := hashComment(line)
		text = span.ReplaceAllString(text, markdown.CodeMark)
		switch {
		case ok && inside:
			found[len(found)-1].Text += "\n" + text
		case ok:
			found = append(found, markdown.Prose{Line: i + 1, Text: text})
		}
		inside = ok
	}
	return found
}

// hashComment returns the comment of a line.
func hashComment(line string) (string, bool) {
	if text, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
		return text, true
	}
	_, text, ok := strings.Cut(line, " #")
	return text, ok
}
