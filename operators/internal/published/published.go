// Package published holds the figures of published comparisons, to lay beside ours: a file for each, which names the store that it is
// of. A store whose comparison was published joins by such a file.
package published

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Subject is what of ours published figures are sought for: a server of a run, in one of its phases.
type Subject struct {
	// Store is a chart, Server the name of an arm and Type what it is of.
	Store, Server, Type string
	Phase, Operation    string
	// AtRate says that the load had a constant rate, so that the op rate is what it was told.
	AtRate bool
}

// Figure is one published row.
type Figure struct {
	// Server as it is called there.
	Server string `json:"server"`
	// Phases of ours that it stands beside; where there are none, the closed loops of its Operation.
	Phases    []string `json:"phases"`
	Operation string   `json:"operation"`
	// Repeat where it was measured several times, Label what else tells it from others of the server.
	Repeat int    `json:"repeat"`
	Label  string `json:"label"`
	// Columns of measurements.csv that it has figures for, in their units. Numbers are text, as printed.
	Columns map[string]string `json:"columns"`
	// Time as minutes and seconds.
	Time string `json:"time"`
}

// Value of a column, or of that of the middle 80% of the intervals where it was published as such; empty where it was not.
func (f Figure) Value(column string) string {
	if text, there := f.Columns[column]; there {
		return text
	}
	return f.Columns[middle(column)]
}

// Middle says whether the figure is of the middle 80% of the intervals.
func (f Figure) Middle() bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(f.Columns)), func(column string) bool { return strings.Contains(column, mid80) })
}

const mid80 = "_mid80"

// middle is the column that has a column's figure of the middle 80% of the intervals.
func middle(column string) string {
	if name, millis := strings.CutSuffix(column, "_ms"); millis {
		return name + mid80 + "_ms"
	}
	return column + mid80
}

// Saying is what was published in words alone.
type Saying struct {
	Server string `json:"server"`
	// To is the server that it is set beside, OpRate the ratio of the two; nothing where the words are of one server.
	To     string  `json:"to"`
	OpRate float64 `json:"opRate"`
	Words  string  `json:"words"`
	// Phases of ours that it speaks of; empty is all.
	Phases []string `json:"phases"`
}

// About what it was said, as a person says it.
func (s Saying) About() string {
	if s.To == "" {
		return s.Server + ": " + s.Words
	}
	return s.Server + " against " + s.To + " has " + s.Words
}

// Setup of the published figures of a store, in a line; empty where there are none.
func Setup(store string) string { return all()[store].Setup }

// ServerOf names the published server that one of ours is laid beside; empty where none was published. Other stores have none: their
// figures are of another thing altogether.
func ServerOf(s Subject) string {
	servers := all()[s.Store].Servers
	if name, listed := servers[s.Server]; listed { // an arm with options of its own is no plain server of its type
		return name
	}
	return servers[s.Type]
}

// For lists the published rows of a server in a phase, in their order.
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

// Said is what was published in words of two servers in a phase, or of the one where it is given as both; none where nothing was.
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

// Ratio of a server to another in a phase by a metric, as published: of the geometric means over the rows, or as was said. False where
// nothing was published. The metric is a column of measurements.csv.
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

// mean is the geometric mean of a metric over rows; NaN where there is none.
func mean(figures []Figure, metric string) float64 {
	sum := 0.0
	for _, figure := range figures {
		value, err := strconv.ParseFloat(figure.Value(metric), 64)
		if err != nil {
			return math.NaN()
		}
		sum += math.Log(value)
	}
	return math.Exp(sum / float64(len(figures))) // 0/0 for none
}
