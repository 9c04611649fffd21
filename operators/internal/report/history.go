package report

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/history"
)

// HistoryPage is a page with the series of an experiment and their change points.
type HistoryPage struct {
	Name, Answer, Period string
	// Changes of the judged series; the others are with their figures.
	Changes []HistoryChange
	Limits  []string
	Breaks  []string
	Notes   []string
	// Figures are the judged series, Others the descriptive ones.
	Figures, Others []*Figure
	Runs            Table
	CSV             template.URL
}

// HistoryChange is a change point.
type HistoryChange struct {
	Class, Sentence string
	// Differs lists what the archive records differently of the two runs.
	Differs []string
	Between string
}

// BuildHistory works the page out.
func BuildHistory(h *history.History) *HistoryPage {
	p := &HistoryPage{Name: h.Experiment, Answer: h.Answer(), Limits: h.Limits(), Breaks: h.BreakLines(), Notes: h.Notes}
	if len(h.Runs) > 0 {
		first, last := h.Runs[0], h.Runs[len(h.Runs)-1]
		p.Period = fmt.Sprintf("runs %s to %s", first.ID, last.ID)
	}
	for i := range h.Series {
		s := &h.Series[i]
		for j := range s.Changes {
			if s.Judged {
				p.Changes = append(p.Changes, historyChange(h, s, &s.Changes[j]))
			}
		}
	}
	servers := seriesNumbers(h)
	for from := 0; from < len(h.Series); {
		to := from + 1
		for to < len(h.Series) && h.Series[to].Load == h.Series[from].Load && h.Series[to].Metric.Name == h.Series[from].Metric.Name {
			to++
		}
		figure := historyFigure(h, h.Series[from:to], servers)
		if slices.ContainsFunc(h.Series[from:to], func(s history.Series) bool { return s.Judged }) {
			p.Figures = append(p.Figures, figure)
		} else {
			p.Others = append(p.Others, figure)
		}
		from = to
	}
	runs := h.RunsTable()
	var cells [][]string
	for _, row := range runs.Rows {
		cells = append(cells, row.Cells)
	}
	var names []string
	for _, column := range runs.Columns {
		names = append(names, column.Name)
	}
	p.CSV = link(names, cells)
	p.Runs = runsTable(h)
	return p
}

func historyChange(h *history.History, s *history.Series, c *history.Change) HistoryChange {
	change := HistoryChange{Class: "better", Sentence: h.Sentence(s, c), Differs: c.Differs, Between: fmt.Sprintf("%s and %s", h.Runs[c.Before].ID, h.Runs[c.After].ID)}
	switch {
	case c.Unresolved():
		change.Class = ""
	case c.Worse:
		change.Class = "worse"
	}
	return change
}

// seriesNumbers gives each server a colour.
func seriesNumbers(h *history.History) map[string]int {
	numbers := map[string]int{}
	for i := range h.Series {
		if _, there := numbers[h.Series[i].Server]; !there {
			numbers[h.Series[i].Server] = len(numbers)
		}
	}
	return numbers
}

// historyFigure draws the series of a load and a metric, with a chart for each server. The charts share their axes, so that a run has the same
// place in each.
func historyFigure(h *history.History, all []history.Series, servers map[string]int) *Figure {
	f := &Figure{Title: fmt.Sprintf("%s, %s", all[0].Metric.Title, all[0].Load), Unit: unitOfHistory(h, &all[0]), Table: Table{Columns: []string{"run"}}}
	var values []float64
	var names []string
	for i := range all {
		for _, p := range all[i].Points {
			values = append(values, p.Value)
		}
		if !slices.Contains(names, all[i].Server) {
			names = append(names, all[i].Server)
		}
	}
	x, y := order{datesOf(h)}, newStretched(values)
	size := small
	if len(names) == 1 {
		size = wide
	}
	for _, name := range names {
		own := slices.DeleteFunc(slices.Clone(all), func(s history.Series) bool { return s.Server != name })
		chart := historyChart(own, size, x, y, servers[name])
		chart.Caption = name
		f.Charts = append(f.Charts, chart)
	}
	f.Table.Columns = append(f.Table.Columns, names...)
	for i, run := range h.Runs {
		cells := []string{run.ID}
		for _, name := range names {
			cells = append(cells, historyCell(all, name, i))
		}
		f.Table.add(cells...)
	}
	return f
}

func unitOfHistory(h *history.History, s *history.Series) string {
	switch {
	case h.Baseline == "":
		return s.Metric.Unit()
	case s.Metric.Difference:
		return fmt.Sprintf("difference from %s, %s", h.Baseline, s.Metric.Unit())
	}
	return "ratio to " + h.Baseline
}

// historyChart draws the series of one server: a dot for each run, a line at the level between changes, and a mark between the two runs of a
// change. The intervals of the runs are not drawn: they are often wider than the changes that many runs show.
func historyChart(own []history.Series, size frame, x order, y stretched, number int) *Chart {
	var lines []series
	for i := range own {
		s := &own[i]
		name := fmt.Sprintf("%s, series %d", s.Server, s.Group)
		dots := series{number: number, name: name, thin: true, dots: true}
		for _, p := range s.Points {
			dots.x, dots.y = append(dots.x, float64(p.Run)), append(dots.y, p.Value)
		}
		lines = append(lines, dots, levels(s, number))
	}
	chart := newChart(size, "", x, y, lines...)
	for i := range own {
		for _, c := range own[i].Changes {
			chart.addFault(stretch{float64(c.Before), float64(c.After)}, x)
		}
	}
	return chart
}

// levels is a line at the mean of the runs between changes.
func levels(s *history.Series, number int) series {
	out := series{number: number, name: s.Server + ", mean between changes"}
	from := 0
	for i := 0; i <= len(s.Changes); i++ {
		to := len(s.Points)
		if i < len(s.Changes) {
			to = s.Changes[i].At
		}
		middle := meanOfPoints(s, from, to)
		out.x = append(out.x, float64(s.Points[from].Run), float64(s.Points[to-1].Run), math.NaN())
		out.y = append(out.y, middle, middle, math.NaN())
		from = to
	}
	return out
}

// meanOfPoints is the geometric mean of ratios, and the arithmetic mean of differences.
func meanOfPoints(s *history.Series, from, to int) float64 {
	sum := 0.0
	for _, value := range s.Values()[from:to] {
		sum += value
	}
	if sum /= float64(to - from); s.Metric.Difference {
		return sum
	}
	return math.Exp(sum)
}

// datesOf labels the runs by month and day.
func datesOf(h *history.History) []string {
	labels := make([]string, len(h.Runs))
	for i, run := range h.Runs {
		labels[i] = run.At.Format("01-02")
	}
	return labels
}

func historyCell(all []history.Series, server string, run int) string {
	for i := range all {
		if all[i].Server != server {
			continue
		}
		for _, p := range all[i].Points {
			if p.Run == run {
				return digitsOfRatio(p.Value)
			}
		}
	}
	return ""
}

// digitsOfRatio writes a figure near 1 with three decimals, and others as digits does.
func digitsOfRatio(value float64) string {
	if size := math.Abs(value); size >= 0.1 && size < 10 {
		return fmt.Sprintf("%.3f", value)
	}
	return digits(value)
}

// runsTable lists the runs with what the archive records of them.
func runsTable(h *history.History) Table {
	t := Table{Columns: []string{"run", "began", "series"}}
	t.Columns = append(t.Columns, history.AttributeFacts()...)
	for _, run := range h.Runs {
		cells := []string{run.ID, run.At.Format("2006-01-02 15:04 UTC"), fmt.Sprint(run.Group)}
		for _, fact := range history.AttributeFacts() {
			cells = append(cells, history.Shortened(run.Facts[fact]))
		}
		t.add(cells...)
	}
	return t
}

// WriteHistory renders the history. The file refers to nothing outside itself.
func WriteHistory(w io.Writer, h *history.History) error {
	parsed, err := parse()
	if err != nil {
		return err
	}
	err = parsed.ExecuteTemplate(w, "history.html.tmpl", struct {
		Page   *HistoryPage
		Policy template.HTMLAttr
		Style  template.CSS
	}{BuildHistory(h), policy(""), template.CSS(style)}) // our own file, compiled in
	if err != nil {
		return fmt.Errorf("writing the history: %w", err)
	}
	return nil
}
