package prose

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

var (
	attribute = regexp.MustCompile(`\b(?:href|src|srcset)="([^"]+)"`)
	identity  = regexp.MustCompile(`\b(?:id|name)="([^"]+)"`)
)

// text returns what a reader sees of a node; code gives the text of a code span.
func (r *reader) text(n ast.Node, code func(ast.Node) string) string {
	var b strings.Builder
	_ = ast.Walk(n, func(inner ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch inner := inner.(type) {
		case *ast.CodeSpan:
			b.WriteString(code(inner))
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.Write(inner.Segment.Value(r.source))
			if inner.SoftLineBreak() || inner.HardLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(inner.Value)
		case *ast.AutoLink:
			b.WriteString(CodeMark)
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func marked(ast.Node) string { return CodeMark }

// raw returns the source of a code span, on one line.
func (r *reader) raw(n ast.Node) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if part, ok := child.(*ast.Text); ok {
			b.Write(part.Segment.Value(r.source))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}
