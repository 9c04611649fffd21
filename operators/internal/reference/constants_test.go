package reference

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// constant is a string constant of Go code, with the comment that documents it.
type constant struct{ Name, Value, Doc string }

// constantsOf reads the string constants of Go files in their order.
func constantsOf(root string, files ...string) ([]constant, error) {
	var all []constant
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("read the constants: %w", err)
		}
		for _, declaration := range file.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				values := spec.(*ast.ValueSpec)
				doc := cmp.Or(values.Doc, values.Comment)
				if doc == nil && !group.Lparen.IsValid() {
					doc = group.Doc
				}
				if len(values.Names) != 1 || len(values.Values) != 1 {
					continue
				}
				literal, ok := values.Values[0].(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					continue
				}
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					return nil, fmt.Errorf("read the constant %s: %w", values.Names[0], err)
				}
				all = append(all, constant{values.Names[0].Name, value, doc.Text()})
			}
		}
	}
	return all, nil
}

// named returns the constants whose names begin with a prefix.
func named(all []constant, prefix string) []constant {
	var found []constant
	for _, c := range all {
		if strings.HasPrefix(c.Name, prefix) {
			found = append(found, c)
		}
	}
	return found
}

// about is the comment of a constant as Markdown, without the constant's own name; other constants are written as their values.
func (c constant) about(all []constant) string {
	text := textfmt.OneLine(c.Doc)
	subject := regexp.MustCompile(`^` + c.Name + `\b`)
	if !subject.MatchString(text) { // a comment at the end of the line
		return prose(sentence(text))
	}
	text = subject.ReplaceAllString(text, "")
	for _, start := range []string{": ", " is ", " are ", " says ", " "} {
		if rest, cut := strings.CutPrefix(text, start); cut {
			text = rest
			break
		}
	}
	text = prose(sentence(text))
	for _, other := range all {
		text = regexp.MustCompile(`\b`+other.Name+`\b`).ReplaceAllLiteralString(text, code(other.Value))
	}
	return text
}

// constantRows are rows of a table: value and meaning.
func constantRows(chosen, all []constant) [][]string {
	var rows [][]string
	for _, c := range chosen {
		rows = append(rows, []string{code(strings.TrimSpace(c.Value)), c.about(all)})
	}
	return rows
}
