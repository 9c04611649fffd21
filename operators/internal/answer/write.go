package answer

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Style of the screen.
type Style struct {
	// Width in columns.
	Width int
	// Unicode reports whether the terminal shows more than ASCII.
	Unicode bool
	// Colour reports whether it shows colours.
	Colour bool
}

const gap = "   "

var (
	signs  = map[Mark]string{Better: "▲", Worse: "▼", Equivalent: "=", Unresolved: "?"}
	ascii  = map[Mark]string{Better: "+", Worse: "-", Equivalent: "=", Unresolved: "?"}
	words  = map[Mark]string{Better: "better", Worse: "worse", Equivalent: "equivalent", Unresolved: "unresolved"}
	colors = map[Mark]string{Better: "\x1b[32m", Worse: "\x1b[31m"}
)

// Write prints the answer: blocks of as many columns as the width has room for, then the legend, the limits and the next command.
func (a Answer) Write(w io.Writer, style Style) error {
	var out strings.Builder
	for _, block := range a.blocks(style) {
		a.writeBlock(&out, block, style)
		out.WriteString("\n")
	}
	out.WriteString(Wrap(a.legend(style), style.Width))
	limits := append([]string{a.Validity()}, a.Limits...)
	if a.Warned != "" {
		limits = append(limits, a.Warned)
	}
	for _, text := range []string{strings.Join(limits, " "), a.Files, a.Next} {
		if text != "" {
			out.WriteString(Wrap(text, style.Width))
		}
	}
	text := out.String()
	if !style.Unicode {
		text = plainly.Replace(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// Validity counts the valid measurements.
func (a Answer) Validity() string {
	return fmt.Sprintf("%d of %d measurements are valid.", a.Valid, a.Measured)
}

// plainly writes in ASCII what figures and sentences have besides.
var plainly = strings.NewReplacer("µ", "u", "±", "+/-", "–", "-", "·", "-", "…", "...", "→", "->")

// blocks split the columns into as many as fit next to the servers' names.
func (a Answer) blocks(style Style) [][]Column {
	var blocks [][]Column
	names := a.nameWidth()
	used := 0
	for _, column := range a.Columns {
		width := len(gap) + a.width(column)
		if len(blocks) == 0 || names+used+width > style.Width {
			blocks, used = append(blocks, nil), 0
		}
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], column)
		used += width
	}
	return blocks
}

const baselineSuffix = " (baseline)"

func (a Answer) label(s Server) string {
	if s.AA {
		return s.Name + " (A/A)"
	}
	return s.Name
}

func (a Answer) nameWidth() int {
	width := 0
	for _, s := range a.Servers {
		width = max(width, utf8.RuneCountInString(a.label(s)), utf8.RuneCountInString(s.Baseline+baselineSuffix))
	}
	return width
}

// width of a column; a mark takes two places.
func (a Answer) width(c Column) int {
	width := max(utf8.RuneCountInString(c.Load), utf8.RuneCountInString(c.Metric))
	for _, s := range a.Servers {
		width = max(width, utf8.RuneCountInString(c.Of(s.Name).Text)+2, utf8.RuneCountInString(c.BaselineFigures[s.Baseline]))
	}
	return width
}

func (a Answer) writeBlock(out *strings.Builder, columns []Column, style Style) {
	names := a.nameWidth()
	line := func(label string, cell func(Column) (text, color string)) {
		text := pad(label, names)
		for _, c := range columns {
			figure, color := cell(c)
			padded := pad(figure, a.width(c))
			if color != "" && style.Colour {
				padded = color + padded + "\x1b[0m"
			}
			text += gap + padded
		}
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line("", func(c Column) (string, string) { return c.Load, "\x1b[1m" })
	line("", func(c Column) (string, string) { return c.Metric, "" })
	last := ""
	for _, s := range a.Servers {
		if s.Baseline != last {
			last = s.Baseline
			line(last+baselineSuffix, func(c Column) (string, string) { return c.BaselineFigures[s.Baseline], "" })
		}
		line(a.label(s), func(c Column) (string, string) {
			cell := c.Of(s.Name)
			mark := cell.Mark
			if s.AA {
				mark = None
			}
			return strings.TrimRight(cell.Text+" "+style.sign(mark), " "), colors[mark]
		})
	}
}

func (s Style) sign(mark Mark) string {
	if s.Unicode {
		return signs[mark]
	}
	return ascii[mark]
}

// legend explains the signs that were used.
func (a Answer) legend(style Style) string {
	used := map[Mark]bool{}
	for _, c := range a.Columns {
		for _, s := range a.Servers {
			if !s.AA {
				used[c.Of(s.Name).Mark] = true
			}
		}
	}
	text := a.effects() + " [95% interval]"
	for _, mark := range []Mark{Better, Worse, Equivalent, Unresolved} {
		if used[mark] {
			text += "  " + style.sign(mark) + " " + words[mark]
		}
	}
	return text
}

// effects names what the columns have: ratios to the baseline, differences, or both. Only a fault's figures are differences, and have a unit.
func (a Answer) effects() string {
	to, ratios, differences := a.Baseline, false, false
	if len(a.baselines()) > 1 {
		to = "the baseline above"
	}
	for _, column := range a.Columns {
		ratios = ratios || len(column.Comparisons) == 0 // a sweep's
		for i := range column.Comparisons {
			ratios = ratios || !column.Comparisons[i].Difference
			differences = differences || column.Comparisons[i].Difference
		}
	}
	switch {
	case !differences:
		return "Ratio to " + to
	case !ratios:
		return "Difference to " + to
	}
	return "Ratio to " + to + ", or difference in the unit shown"
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 0))
}

// Wrap breaks a text at spaces, into lines that end in a line break.
func Wrap(text string, width int) string {
	var out, line strings.Builder
	for word := range strings.SplitSeq(text, " ") {
		if line.Len() > 0 && utf8.RuneCountInString(line.String())+1+utf8.RuneCountInString(word) > width {
			out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word)
	}
	return out.String() + line.String() + "\n"
}
