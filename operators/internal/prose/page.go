package prose

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Page holds the parts of one page, in the order of the source. Lines count from 1.
type Page struct {
	Prose    []Text
	Headings []Heading
	Links    []Link
	Rows     []Row
	Code     []Code
	// Lines is the number of lines of the source.
	Lines int
}

// Text is the text of one paragraph, heading, list item or table cell. A line break in the source is a line break in Text, and
// each code span is one CodeMark.
type Text struct {
	Line int
	Text string
}

// CodeMark stands for a code span in a text.
const CodeMark = "§"

// Heading is one heading with the anchor that GitHub gives it.
type Heading struct {
	Line   int
	Text   string
	Anchor string
}

// Link is the target of a link or of an image.
type Link struct {
	Line   int
	Target string
}

// Row is one row of a table, without the header row.
type Row struct {
	Line    int
	Section string
	Cells   []Cell
}

// Cell is one cell of a table: its text with CodeMarks, and the code spans in it.
type Cell struct {
	Text  string
	Spans []string
}

// Code is a code block or a code span.
type Code struct {
	Line int
	Text string
	// Block reports whether it is a block.
	Block bool
}

// Parse reads a page.
func Parse(source []byte) Page {
	r := reader{source: source, anchors: anchors{}}
	r.page.Lines = bytes.Count(source, []byte("\n"))
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(root, r.visit) // visit returns no error
	return r.page
}

// reader collects the parts of a page while its syntax tree is walked.
type reader struct {
	source  []byte
	page    Page
	anchors anchors
	section string
	// line is that of the text that was read last: a node without text of its own is on it.
	line int
}

func (r *reader) visit(node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := node.(type) {
	case *ast.Heading:
		r.heading(n)
	case *ast.Paragraph, *ast.TextBlock:
		r.prose(n)
	case *table.TableRow:
		r.row(n)
	case *table.TableCell:
		r.prose(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		r.block(n)
	case *ast.HTMLBlock:
		r.html(n.Lines())
	case *ast.RawHTML:
		r.html(n.Segments)
	case *ast.Text:
		r.line = r.lineOf(n.Segment.Start)
	case *ast.Link:
		r.link(n, string(n.Destination))
	case *ast.Image:
		r.link(n, string(n.Destination))
	case *ast.CodeSpan:
		r.page.Code = append(r.page.Code, Code{Line: r.lineAt(n), Text: r.raw(n)})
	}
	return ast.WalkContinue, nil
}

func (r *reader) heading(n *ast.Heading) {
	rendered := r.text(n, r.raw)
	r.section = rendered
	r.page.Headings = append(r.page.Headings, Heading{Line: r.lineAt(n), Text: rendered, Anchor: r.anchors.next(rendered)})
	r.prose(n)
}

func (r *reader) prose(n ast.Node) {
	if read := r.text(n, marked); strings.TrimSpace(read) != "" {
		r.page.Prose = append(r.page.Prose, Text{Line: r.lineAt(n), Text: read})
	}
}

func (r *reader) row(n *table.TableRow) {
	row := Row{Line: r.lineAt(n), Section: r.section}
	for cell := n.FirstChild(); cell != nil; cell = cell.NextSibling() {
		read := Cell{Text: r.text(cell, marked)}
		_ = ast.Walk(cell, func(inner ast.Node, entering bool) (ast.WalkStatus, error) {
			if span, ok := inner.(*ast.CodeSpan); ok && entering {
				read.Spans = append(read.Spans, r.raw(span))
			}
			return ast.WalkContinue, nil
		})
		row.Cells = append(row.Cells, read)
	}
	r.page.Rows = append(r.page.Rows, row)
}

func (r *reader) block(n ast.Node) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	r.line = r.lineOf(lines.At(0).Start)
	r.page.Code = append(r.page.Code, Code{Line: r.line, Text: string(lines.Value(r.source)), Block: true})
}

func (r *reader) html(lines *text.Segments) {
	for i := range lines.Len() {
		segment := lines.At(i)
		for _, match := range attribute.FindAllSubmatch(segment.Value(r.source), -1) {
			r.page.Links = append(r.page.Links, Link{Line: r.lineOf(segment.Start), Target: string(match[1])})
		}
		for _, match := range identity.FindAllSubmatch(segment.Value(r.source), -1) {
			r.page.Headings = append(r.page.Headings, Heading{Line: r.lineOf(segment.Start), Anchor: string(match[1])})
		}
	}
}

func (r *reader) link(n ast.Node, target string) {
	r.page.Links = append(r.page.Links, Link{Line: r.lineAt(n), Target: target})
}

func (r *reader) lineOf(offset int) int {
	return 1 + bytes.Count(r.source[:offset], []byte("\n"))
}

// lineAt returns the line of the first text in a node.
func (r *reader) lineAt(n ast.Node) int {
	line := r.line
	_ = ast.Walk(n, func(inner ast.Node, entering bool) (ast.WalkStatus, error) {
		if found, ok := inner.(*ast.Text); ok && entering {
			line = r.lineOf(found.Segment.Start)
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return line
}
