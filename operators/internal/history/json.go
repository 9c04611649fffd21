package history

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

type document struct {
	Answer      string           `json:"answer"`
	Experiment  string           `json:"experiment"`
	Baseline    string           `json:"baseline,omitempty"`
	Level       float64          `json:"level"`
	SeriesLevel float64          `json:"seriesLevel"`
	Runs        []runDocument    `json:"runs"`
	Breaks      []breakDocument  `json:"breaks"`
	Series      []seriesDocument `json:"series"`
	Notes       []string         `json:"notes"`
}

type runDocument struct {
	Run     string            `json:"run"`
	Started time.Time         `json:"started"`
	Group   int               `json:"group"`
	Facts   map[string]string `json:"facts"`
}

type breakDocument struct {
	Run string `json:"run"`
	Why string `json:"why"`
}

type seriesDocument struct {
	Server     string           `json:"server"`
	Load       string           `json:"load"`
	Phase      string           `json:"phase"`
	Metric     string           `json:"metric"`
	Difference bool             `json:"difference"`
	Unit       string           `json:"unit,omitempty"`
	Group      int              `json:"group"`
	Ended      bool             `json:"ended"`
	Primary    bool             `json:"primary"`
	Judged     bool             `json:"judged"`
	Column     string           `json:"column"`
	Points     []pointDocument  `json:"points"`
	Missing    []string         `json:"missing"`
	Changes    []changeDocument `json:"changes"`
}

type pointDocument struct {
	Run   string   `json:"run"`
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

type changeDocument struct {
	LastBefore string   `json:"lastBefore"`
	FirstAfter string   `json:"firstAfter"`
	Change     *float64 `json:"change"`
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
	P          float64  `json:"p"`
	Verdict    string   `json:"verdict"`
	Differs    []string `json:"differs"`
}

// WriteJSON writes everything that the history has.
func (h *History) WriteJSON(w io.Writer) error {
	d := document{Answer: h.Answer(), Experiment: h.Experiment, Baseline: h.Baseline, Level: h.Level, SeriesLevel: h.SeriesLevel, Runs: []runDocument{},
		Breaks: []breakDocument{}, Series: []seriesDocument{}, Notes: append([]string{}, h.Notes...)}
	for _, run := range h.Runs {
		d.Runs = append(d.Runs, runDocument{run.ID, run.At, run.Group, run.Facts})
	}
	for _, b := range h.Breaks {
		d.Breaks = append(d.Breaks, breakDocument{h.Runs[b.Run].ID, b.Why})
	}
	for i := range h.Series {
		d.Series = append(d.Series, h.document(&h.Series[i]))
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d); err != nil {
		return fmt.Errorf("writing the history: %w", err)
	}
	return nil
}

func (h *History) document(s *Series) seriesDocument {
	o := seriesDocument{Server: s.Server, Load: s.Load, Phase: s.Cell.Phase, Metric: s.Metric.Name, Difference: s.Metric.Difference, Unit: h.Unit(s), Group: s.Group, Ended: s.Ended,
		Primary: s.Primary, Judged: s.Judged, Column: s.Column(), Points: []pointDocument{}, Missing: []string{}, Changes: []changeDocument{}}
	for _, p := range s.Points {
		o.Points = append(o.Points, pointDocument{h.Runs[p.Run].ID, p.Value, finite(p.Low), finite(p.High)})
	}
	for _, run := range s.Missing {
		o.Missing = append(o.Missing, h.Runs[run].ID)
	}
	for i := range s.Changes {
		c := &s.Changes[i]
		o.Changes = append(o.Changes, changeDocument{h.Runs[c.Before].ID, h.Runs[c.After].ID, finite(c.Ratio), finite(c.Low), finite(c.High), c.P, string(s.Verdict(c)), append([]string{}, c.Differs...)})
	}
	return o
}
