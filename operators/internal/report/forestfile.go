package report

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"

	"ringside.dev/ringside/operators/internal/answer"
)

// ErrNothingCompared reports that a run has no forest plot: there is no primary metric of two servers.
var ErrNothingCompared = errors.New("no servers were compared")

// fileLine is a line of text below a forest.
type fileLine struct {
	Y    float64
	Text string
}

const (
	// fileTop is where the drawing begins, below its title; fileLeading from one line of text to the next.
	fileTop, fileLeading = 40.0, 18.0
	// fileMargin on each side of the drawing, and fileColumns of text between them.
	fileMargin, fileColumns = 18.0, 124
)

// WriteForest renders the verdicts of a run as an SVG file that needs nothing else, for a page of documentation: readable on light and on dark.
func WriteForest(w io.Writer, page *Page) error {
	forest := page.Answer.Forest
	if forest == nil {
		return ErrNothingCompared
	}
	parsed, err := parse()
	if err != nil {
		return err
	}
	layout := forest.Layouts[0]
	y := fileTop + layout.Height + fileLeading
	var lines []fileLine
	for _, text := range []string{forest.Legend(page.CompareTo), strings.Join(page.Answer.Limits, " "), "Run " + page.Run + "."} {
		for line := range strings.Lines(answer.Wrap(text, fileColumns)) {
			lines = append(lines, fileLine{y, strings.TrimSpace(line)})
			y += fileLeading
		}
	}
	err = parsed.ExecuteTemplate(w, "forestfile.html.tmpl", struct {
		Title              string
		Width, Height, Top float64
		Layout             ForestLayout
		Lines              []fileLine
		Style              template.CSS
	}{page.Name + ": servers compared with " + page.CompareTo, layout.Width + 2*fileMargin, y, fileTop, layout, lines, template.CSS(forestStyle)}) // our own file
	if err != nil {
		return fmt.Errorf("writing the forest plot: %w", err)
	}
	return nil
}

// Legend explains how to read a forest plot.
func (f *Forest) Legend(baseline string) string {
	of := "ratios to " + baseline
	if f.Differences {
		of = "ratios to " + baseline + ", or differences from it"
	}
	text := "Points are " + of + ", lines 95% intervals; without a line there are too few rounds for an interval."
	if f.Noise {
		text += " Shaded: what the A/A arm, the baseline under a second name, seems to differ by."
	}
	return text
}
