package prose

import (
	"regexp"
	"strings"
)

// span matches code in a comment.
var span = regexp.MustCompile("`[^`\n]*`")

// HashComments returns the comments of a YAML file, a shell script or a Makefile. Adjacent lines of comments are one text.
func HashComments(source string) []Text {
	var found []Text
	inside := false
	for i, line := range strings.Split(source, "\n") {
		text, ok := hashComment(line)
		text = span.ReplaceAllString(text, CodeMark)
		switch {
		case ok && inside:
			found[len(found)-1].Text += "\n" + text
		case ok:
			found = append(found, Text{Line: i + 1, Text: text})
		}
		inside = ok
	}
	return found
}

// literal matches a string or a character of Go or Java, and comment a comment. The longest of several quotes is first.
var (
	literal = "\"\"\"(?s:.*?)\"\"\"|`[^`]*`|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'"
	comment = `(?:[ \t]*//[^\n]*(?:\n|$))+|//[^\n]*|/\*(?s:.*?)\*/`
	tokens  = regexp.MustCompile(`(?m)` + literal + `|` + comment)
	margin  = regexp.MustCompile(`(?m)^[ \t]*(?://|/\*+|\*/|\*)|\*/$`)
)

// SlashComments returns the comments of a Go or Java file. Adjacent lines of comments are one text.
func SlashComments(source string) []Text {
	var found []Text
	line, read := 1, 0
	for _, at := range tokens.FindAllStringIndex(source, -1) {
		line += strings.Count(source[read:at[0]], "\n")
		read = at[0]
		token := source[at[0]:at[1]]
		if trimmed := strings.TrimLeft(token, " \t"); !strings.HasPrefix(trimmed, "/") {
			continue // a literal
		}
		text := span.ReplaceAllString(margin.ReplaceAllString(token, ""), CodeMark)
		found = append(found, Text{Line: line, Text: text})
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
