package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
)

//go:embed *.html.tmpl
var layouts embed.FS

var (
	//go:embed style.css
	style string
	//go:embed forest.css
	forestStyle string
)

// What only reports with profiles have.
var (
	//go:embed flame.css
	flameStyle string
	//go:embed flame.js
	flameScript string
)

// colours is how many series a reader can distinguish by colour and dashes; further ones reuse them.
const colours = 8

func parse() (*template.Template, error) {
	drawings := 0
	parsed, err := template.New("report.html.tmpl").Funcs(template.FuncMap{
		// id is a new one each time: a drawing's name and description are found by theirs.
		"id":     func() string { drawings++; return "d" + strconv.Itoa(drawings) },
		"n":      number,
		"add":    func(a, b any) float64 { return float(a) + float(b) },
		"sub":    func(a, b any) float64 { return float(a) - float(b) },
		"colour": func(series int) int { return series % colours },
	}).ParseFS(layouts, "*.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("parsing the report's layout: %w", err)
	}
	return parsed, nil
}

// Write renders the page. The file refers to nothing outside itself.
func Write(w io.Writer, page *Page) error {
	parsed, err := parse()
	if err != nil {
		return err
	}
	look, script := style, ""
	if len(page.Profiles) > 0 {
		look, script = style+flameStyle, flameScript
	}
	err = parsed.Execute(w, struct {
		Page   *Page
		Policy template.HTMLAttr
		Style  template.CSS
		Script template.JS
	}{page, policy(script), template.CSS(look), template.JS(script)}) // our own files, compiled in
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// number writes a coordinate; a tenth of a unit is finer than any screen.
func number(value float64) string { return strconv.FormatFloat(value, 'f', 1, 64) }

func float(value any) float64 {
	switch v := value.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}
