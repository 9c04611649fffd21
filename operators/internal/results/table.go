package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/internal/compare/published"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Table returns the rows of a run as a table, with the published figures next to them. Published figures cover the middle 80% of the
// intervals, so they have their own columns, next to ours for the same range. Without any, these columns are left out. Operations and
// latencies are in the given units, under the column names of measurements.csv.
func Table(rows []Row, in textfmt.Units) *textfmt.Table {
	t := &textfmt.Table{Columns: []textfmt.Column{
		{Title: "SERVER", Name: "server"},
		{Title: "OPERATION", Name: "operation"},
		{Title: "PHASE", Name: "phase"},
		{Title: "THREADS", Name: "threads", Right: true},
		{Title: "CONNECTIONS", Name: "connections", Right: true},
		{Title: "RATE ASKED", Name: "target_rate", Right: true},
		{Title: "INSTALLATION", Name: "installation", Right: true},
		{Title: "ROUND", Name: "round", Right: true},
		{Title: "REPEAT", Name: "repeat", Right: true},
		{Title: "OPS", Name: "ops", Right: true},
		{Title: "ERRORS", Name: "errors", Right: true},
		{Title: "WHY", Name: ErrorsByKind},
		{Title: "OUTCOMES", Name: "outcomes"},
		{Title: "CAPACITY", Name: "capacity", Right: true},
		{Title: "OP RATE", Name: "op_rate", Right: true},
		{Title: "MEDIAN MS", Name: "latency_median_ms", Right: true},
		{Title: "95TH MS", Name: "latency_p95_ms", Right: true},
		{Title: "99.9TH MS", Name: "latency_p999_ms", Right: true},
		{Title: "RATE MID80", Name: "op_rate_mid80", Right: true},
		{Title: "MEDIAN", Name: "latency_median_mid80_ms", Right: true},
		{Title: "95TH", Name: "latency_p95_mid80_ms", Right: true},
		{Title: "99.9TH", Name: "latency_p999_mid80_ms", Right: true},
		{Title: "CPU µS/OP", Name: CPUPerOperation, Right: true},
		{Title: "CORES AT REST", Name: CPUAtRest, Right: true},
		{Title: "WRITE AMP", Name: WriteAmplification, Right: true},
		{Title: "RECOVERY S", Name: RecoveryTime, Right: true},
		{Title: "ACKNOWLEDGED", Name: "recovery_acknowledged", Right: true},
		{Title: "KEPT", Name: "recovery_kept", Right: true},
		{Title: "LOST", Name: "recovery_lost", Right: true},
		{Title: "AVAILABILITY", Name: FaultAvailability, Right: true},
		{Title: "RECOVERED S", Name: FaultRecoverTime, Right: true},
		{Title: "TOTAL TIME", Name: "total_time", Right: true},
		{Title: "NOTE", Name: "note"},
	}}
	for i := range t.Columns {
		t.Columns[i].Title = titleOf(t.Columns[i], in)
	}
	var figures []Column
	for _, column := range t.Columns[:len(t.Columns)-2] {
		figures = append(figures, MustColumn(column.Name))
	}
	shown, beside := map[[3]string]bool{}, false
	for i, row := range rows {
		var cells []string
		for _, column := range figures {
			cells = append(cells, cellOf(column, &row, in))
		}
		t.Add(styleOf(&row), append(cells, MinutesSeconds(row.OperationTime), noteOf(&row))...)
		of := row.Published()
		key := [3]string{published.ServerOf(of), row.Phase, row.Operation}
		if shown[key] || !lastOf(rows[i:], &row) {
			continue
		}
		shown[key] = true
		for _, figure := range published.For(of) {
			beside = beside || figure.Middle()
			t.AddNamed(textfmt.Faint, publishedCells(figure, &row, in))
		}
	}
	if !slices.ContainsFunc(rows, func(row Row) bool { return row.Installation > 1 }) {
		t.Remove("installation")
	}
	t.RemoveEmpty(ErrorsByKind)
	t.RemoveEmpty("outcomes")
	t.RemoveEmpty("capacity")
	for _, name := range []string{"phase", "threads", "connections", "target_rate"} {
		if !sweeps(rows, MustColumn(name)) {
			t.Remove(name)
		}
	}
	t.RemoveEmpty(CPUPerOperation)
	t.RemoveEmpty(CPUAtRest)
	t.RemoveEmpty(WriteAmplification)
	for _, name := range []string{RecoveryTime, "recovery_acknowledged", "recovery_kept", "recovery_lost", FaultAvailability, FaultRecoverTime} {
		t.RemoveEmpty(name)
	}
	if !beside {
		for _, name := range []string{"op_rate_mid80", "latency_median_mid80_ms", "latency_p95_mid80_ms", "latency_p999_mid80_ms"} {
			t.Remove(name)
		}
	}
	return t
}

// publishedCells returns the cells of a published figure, by column.
func publishedCells(figure published.Figure, row *Row, in textfmt.Units) map[string]string {
	cells := map[string]string{"server": "  published " + figure.Server, "operation": row.Operation, "phase": row.Phase, "total_time": figure.Time, "note": figure.Label}
	if figure.Repeat > 0 {
		cells["repeat"] = strconv.Itoa(figure.Repeat)
	}
	for name, text := range figure.Columns {
		cells[name] = in.Printed(text, MustColumn(name).Unit)
	}
	return cells
}

// titleOf returns the title of a column in the store's own units.
func titleOf(column textfmt.Column, in textfmt.Units) string {
	switch {
	case !in.Named():
	case column.Name == "ops":
		return strings.ToUpper(in.Operations())
	case column.Name == "op_rate":
		return strings.ToUpper(in.PerSecond())
	}
	return in.Title(column.Title)
}

// cellOf formats a row's cell: latencies in the store's own unit, everything else as in measurements.csv.
func cellOf(column Column, row *Row, in textfmt.Units) string {
	if column.Unit != textfmt.Millis {
		return column.Encode(row)
	}
	return in.Format(column.Value(row))
}

// sweeps reports whether an operation was measured at several values of the column. If so, the table must show it.
func sweeps(rows []Row, column Column) bool {
	values := map[string]string{}
	for _, row := range rows {
		if row.Warmup {
			continue
		}
		value := column.Encode(&row)
		if known, there := values[row.Operation]; there && known != value {
			return true
		}
		values[row.Operation] = value
	}
	return false
}

// lastOf reports whether no row after the first of rest has the same server, phase and operation.
func lastOf(rest []Row, row *Row) bool {
	for _, next := range rest[1:] {
		if next.Server == row.Server && next.Phase == row.Phase && next.Operation == row.Operation {
			return false
		}
	}
	return true
}

func styleOf(row *Row) textfmt.Style {
	switch {
	case !row.Valid:
		return textfmt.Warn
	case row.Warmup:
		return textfmt.Faint
	}
	return textfmt.Plain
}

func noteOf(row *Row) string {
	var notes []string
	if !row.Valid {
		notes = append(notes, "INVALID: "+orUnknown(strings.Join(alikeAttempts(row.InvalidReasons), Separator)))
	}
	switch {
	case row.Profile != "":
		notes = append(notes, "under a profile of "+string(row.Profile)+", never compared")
	case row.Warmup:
		notes = append(notes, "warm-up")
	}
	if row.Objective != "" {
		notes = append(notes, "highest rate with "+row.Objective)
	}
	if row.Peer != "" {
		notes = append(notes, "beside "+row.Peer)
	}
	return strings.ReplaceAll(strings.Join(notes, Separator), "\n", " ") // one line per row
}

func orUnknown(reasons string) string {
	if reasons == "" {
		return "no reason was recorded"
	}
	return reasons
}

// MinutesSeconds formats a time as m:ss, as the published tables do; empty if it is unknown.
func MinutesSeconds(d Optional[time.Duration]) string {
	if !d.Known {
		return ""
	}
	whole := int64(d.Value.Seconds() + 0.5)
	return fmt.Sprintf("%d:%02d", whole/60, whole%60)
}
