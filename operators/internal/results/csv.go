package results

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// WriteCSV writes the header and the rows. comma is ',' for CSV and '\t' for TSV.
func WriteCSV(w io.Writer, rows []Row, comma rune) error {
	writer := csv.NewWriter(w)
	writer.Comma = comma
	records := [][]string{Header()}
	for i := range rows {
		records = append(records, rows[i].Cells())
	}
	if err := writer.WriteAll(records); err != nil {
		return fmt.Errorf("writing measurements: %w", err)
	}
	return nil
}

// requiredColumns identify a row: without them, two rows cannot be distinguished.
var requiredColumns = []string{"experiment", "run", "round", "server", "operation", "repeat"}

// ReadCSV reads the output of WriteCSV of this or another version: it finds columns by name. The notes, one line each, list missing
// columns, whose cells are empty, and unknown columns and invalid lines, which are left out. With an error, there are no rows at all.
func ReadCSV(r io.Reader) (rows []Row, notes []string, err error) {
	reader := csv.NewReader(r)
	reader.FieldsPerRecord = -1
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, errors.New("measurements.csv is empty: the run ended before anything was exported")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the header of measurements.csv: %w", err)
	}
	place := map[string]int{}
	for i, name := range header {
		place[name] = i
	}
	for _, name := range requiredColumns {
		if _, there := place[name]; !there {
			return nil, nil, fmt.Errorf("measurements.csv has no column %q: it is not a file of ringside", name)
		}
	}
	notes = headerNotes(header, place)
	columns, taken := Columns(), map[string]bool{}
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows, notes, nil
		}
		if err != nil {
			return rows, append(notes, fmt.Sprintf("measurements.csv is truncated: %v", err)), nil
		}
		if len(record) != len(header) {
			line, _ := reader.FieldPos(0)
			notes = append(notes, fmt.Sprintf("line %d of measurements.csv has %d cells instead of %d and was left out", line, len(record), len(header)))
			continue
		}
		row, err := decode(columns, place, record)
		if err != nil {
			line, _ := reader.FieldPos(0)
			notes = append(notes, fmt.Sprintf("line %d of measurements.csv was left out: %v", line, err))
			continue
		}
		if fault := row.contradiction(); fault != "" {
			line, _ := reader.FieldPos(0)
			notes = append(notes, fmt.Sprintf("line %d of measurements.csv was left out: %s", line, fault))
			continue
		}
		if name := row.Run + "/" + row.Measurement; row.Measurement != "" && taken[name] {
			line, _ := reader.FieldPos(0)
			notes = append(notes, fmt.Sprintf("line %d of measurements.csv was left out: it repeats measurement %s", line, row.Measurement))
			continue
		} else {
			taken[name] = true
		}
		rows = append(rows, row)
	}
}

// contradiction describes figures of a row that cannot be those of one measurement, because a file of another tool has other units or times; empty
// if there are none.
func (r Row) contradiction() string {
	if !r.StartedAt.IsZero() && !r.FinishedAt.IsZero() && r.FinishedAt.Before(r.StartedAt) {
		return fmt.Sprintf("it finished at %s, before it started at %s", r.FinishedAt.Format(time.RFC3339), r.StartedAt.Format(time.RFC3339))
	}
	var before Optional[time.Duration]
	name := ""
	for _, next := range []struct {
		name  string
		value Optional[time.Duration]
	}{{"the median", r.Median}, {"p95", r.P95}, {"p99", r.P99}, {"p99.9", r.P999}, {"the maximum", r.Max}} {
		if !next.value.Known {
			continue
		}
		if before.Known && next.value.Value < before.Value-before.Value/10 { // histograms round
			return fmt.Sprintf("%s, %s, is below %s, %s: use milliseconds in all columns of latencies", next.name, next.value.Value, name, before.Value)
		}
		before, name = next.value, next.name
	}
	return ""
}

func decode(columns []Column, place map[string]int, record []string) (Row, error) {
	row := Row{Installation: 1} // if an older file lacks the column
	for _, column := range columns {
		if i, there := place[column.Name]; there {
			if err := column.Decode(&row, record[i]); err != nil {
				return row, err
			}
		}
	}
	return row, nil
}

func headerNotes(header []string, place map[string]int) []string {
	var notes, missing, unknown []string
	known := Header()
	for _, name := range known {
		if _, there := place[name]; !there {
			missing = append(missing, name)
		}
	}
	for _, name := range header {
		if !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	if len(missing) > 0 {
		notes = append(notes, "measurements.csv has another version: it lacks "+strings.Join(missing, ", "))
	}
	if len(unknown) > 0 {
		notes = append(notes, "measurements.csv has another version: unknown columns are left out: "+strings.Join(unknown, ", "))
	}
	return notes
}

// Sort sorts rows by the time at which they started. Rows that never started come last, by installation, round and name.
func Sort(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(
			compareStarts(a.StartedAt, b.StartedAt),
			cmp.Compare(a.Installation, b.Installation),
			cmp.Compare(a.Round, b.Round),
			strings.Compare(a.Measurement, b.Measurement),
		)
	})
}

func compareStarts(a, b time.Time) int {
	switch {
	case a.IsZero() == b.IsZero():
		return a.Compare(b)
	case a.IsZero():
		return 1
	}
	return -1
}
