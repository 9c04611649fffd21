// Package published holds the figures of published comparisons, for display next to ours: one file per comparison,
// which names its store. To add a published comparison, add a file.
package published

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Subject identifies our figure for which published figures are sought: a server of a run, in one of its phases.
type Subject struct {
	// Store is a chart, Server the name of a server in the experiment, Type its server type.
	Store, Server, Type string
	Phase, Operation    string
	// AtRate reports whether the load had a constant rate. Its op rate is then given, not measured.
	AtRate bool
}

// Figure is one published row.
type Figure struct {
	// Server is the name of the server in the publication.
	Server string `json:"server"`
	// Phases are our phases that correspond to the row; if empty, the closed-loop phases of its Operation.
	Phases    []string `json:"phases"`
	Operation string   `json:"operation"`
	// Repeat is the number of the repetition, if there were several. Label distinguishes the row from others of the
	// server.
	Repeat int    `json:"repeat"`
	Label  string `json:"label"`
	// Columns has the published figures by column of measurements.csv, in its units. Numbers are text as printed.
	Columns map[string]string `json:"columns"`
	// Time is in minutes and seconds.
	Time string `json:"time"`
}

// Value returns the figure of a column, or else of the middle 80% of the intervals; empty if neither was published.
func (f Figure) Value(column string) string {
	if text, there := f.Columns[column]; there {
		return text
	}
	return f.Columns[middle(column)]
}

// Middle reports whether the figure is of the middle 80% of the intervals.
func (f Figure) Middle() bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(f.Columns)), func(column string) bool { return strings.Contains(column, mid80) })
}

const mid80 = "_mid80"

// middle returns the name of a column for the middle 80% of the intervals.
func middle(column string) string {
	if name, millis := strings.CutSuffix(column, "_ms"); millis {
		return name + mid80 + "_ms"
	}
	return column + mid80
}

// Saying is a published statement without a row of figures.
type Saying struct {
	Server string `json:"server"`
	// To is the server that the statement compares with, OpRate the ratio of the two. To is empty if the statement is
	// about one server.
	To     string  `json:"to"`
	OpRate float64 `json:"opRate"`
	Words  string  `json:"words"`
	// Phases are our phases that the statement is about; if empty, all.
	Phases []string `json:"phases"`
}

// About returns the statement with the names of its servers.
func (s Saying) About() string {
	if s.To == "" {
		return s.Server + ": " + s.Words
	}
	return s.Server + " against " + s.To + " has " + s.Words
}

// Setup describes the setup of a store's published figures in one line; empty if there are none.
func Setup(store string) string { return all()[store].Setup }

// ServerOf returns the published server that corresponds to ours; empty if there is none. Only figures of the same
// store correspond.
func ServerOf(s Subject) string {
	servers := all()[s.Store].Servers
	if name, listed := servers[s.Server]; listed { // a server with options of its own does not count as its type
		return name
	}
	return servers[s.Type]
}

// For returns the published rows of a server in a phase, in order.
func For(s Subject) []Figure {
	server := ServerOf(s)
	var found []Figure
	for _, figure := range all()[s.Store].Figures {
		if server != "" && figure.Server == server && figure.stands(s) {
			found = append(found, figure)
		}
	}
	return found
}

func (f Figure) stands(s Subject) bool {
	if len(f.Phases) > 0 {
		return slices.Contains(f.Phases, s.Phase)
	}
	return f.Operation == s.Operation && !s.AtRate
}

// Said returns the published statements about two servers in a phase, or about one if both correspond to the same
// published server.
func Said(of, beside Subject) []Saying {
	server, to := ServerOf(of), ServerOf(beside)
	var found []Saying
	for _, saying := range all()[of.Store].Said {
		alone := saying.To == "" && server == to && saying.Server == server
		both := saying.To != "" && (saying.Server == server && saying.To == to || saying.Server == to && saying.To == server)
		if server != "" && (alone || both) && (len(saying.Phases) == 0 || slices.Contains(saying.Phases, of.Phase)) {
			found = append(found, saying)
		}
	}
	return found
}

// Ratio returns the published ratio of two servers in a phase, from the geometric means over the rows or else from a
// statement. It returns false if nothing was published. The metric is a column of measurements.csv.
func Ratio(of, to Subject, metric string) (float64, bool) {
	if of.Store != to.Store || ServerOf(of) == ServerOf(to) {
		return 0, false
	}
	if ratio := mean(For(of), metric) / mean(For(to), metric); !math.IsNaN(ratio) {
		return ratio, true
	}
	for _, saying := range Said(of, to) {
		switch {
		case saying.OpRate == 0 || metric != "op_rate" || of.AtRate:
		case saying.Server == ServerOf(of):
			return saying.OpRate, true
		default:
			return 1 / saying.OpRate, true
		}
	}
	return 0, false
}

// mean returns the geometric mean of a metric over rows; NaN if there are none.
func mean(figures []Figure, metric string) float64 {
	sum := 0.0
	for _, figure := range figures {
		value, err := strconv.ParseFloat(figure.Value(metric), 64)
		if err != nil {
			return math.NaN()
		}
		sum += math.Log(value)
	}
	return math.Exp(sum / float64(len(figures))) // 0/0 without rows
}
