package results

import "fmt"

// Column is one column of measurements.csv.
type Column struct {
	Name string
	// Field is where a row keeps the column's cell.
	Field func(*Row) *string
}

// Columns of measurements.csv, in order. This is the only list of them: further ones go at the end.
func Columns() []Column {
	return []Column{
		{"experiment", func(r *Row) *string { return &r.Experiment }},
		{"run", func(r *Row) *string { return &r.Run }},
		{"round", func(r *Row) *string { return &r.Round }},
		{"server", func(r *Row) *string { return &r.Server }},
		{"operation", func(r *Row) *string { return &r.Operation }},
		{"repeat", func(r *Row) *string { return &r.Repeat }},
		{"consistency", func(r *Row) *string { return &r.Consistency }},
		{"threads", func(r *Row) *string { return &r.Threads }},
		{"target_rate", func(r *Row) *string { return &r.TargetRate }},
		{"latency_kind", func(r *Row) *string { return &r.LatencyKind }},
		{"ops", func(r *Row) *string { return &r.Ops }},
		{"errors", func(r *Row) *string { return &r.Errors }},
		{"op_rate", func(r *Row) *string { return &r.OpRate }},
		{"key_rate", func(r *Row) *string { return &r.KeyRate }},
		{"op_rate_mid80", func(r *Row) *string { return &r.OpRateMid80 }},
		{"key_rate_mid80", func(r *Row) *string { return &r.KeyRateMid80 }},
		{"latency_median_ms", func(r *Row) *string { return &r.MedianMillis }},
		{"latency_p95_ms", func(r *Row) *string { return &r.P95Millis }},
		{"latency_p99_ms", func(r *Row) *string { return &r.P99Millis }},
		{"latency_p999_ms", func(r *Row) *string { return &r.P999Millis }},
		{"latency_max_ms", func(r *Row) *string { return &r.MaxMillis }},
		{"latency_median_mid80_ms", func(r *Row) *string { return &r.MedianMid80Millis }},
		{"latency_p95_mid80_ms", func(r *Row) *string { return &r.P95Mid80Millis }},
		{"latency_p999_mid80_ms", func(r *Row) *string { return &r.P999Mid80Millis }},
		{"operation_time_s", func(r *Row) *string { return &r.OperationSeconds }},
		{"started_at", func(r *Row) *string { return &r.StartedAt }},
		{"server_class", func(r *Row) *string { return &r.ServerClass }},
		{"plugin_sha256", func(r *Row) *string { return &r.PluginSHA256 }},
		{"image_digest", func(r *Row) *string { return &r.ImageDigest }},
		{"valid", func(r *Row) *string { return &r.Valid }},
		{"invalid_reasons", func(r *Row) *string { return &r.InvalidReasons }},
		{"warnings", func(r *Row) *string { return &r.Warnings }},
		{"store", func(r *Row) *string { return &r.Store }},
		{"server_type", func(r *Row) *string { return &r.ServerType }},
		{"phase", func(r *Row) *string { return &r.Phase }},
		{"warmup", func(r *Row) *string { return &r.Warmup }},
		{"attempt", func(r *Row) *string { return &r.Attempt }},
		{"ops_planned", func(r *Row) *string { return &r.OpsPlanned }},
		{"duration_s", func(r *Row) *string { return &r.DurationSeconds }},
		{"keys", func(r *Row) *string { return &r.Keys }},
		{"pods", func(r *Row) *string { return &r.Pods }},
		{"start_skew_ms", func(r *Row) *string { return &r.StartSkewMillis }},
		{"finished_at", func(r *Row) *string { return &r.FinishedAt }},
		{"measurement", func(r *Row) *string { return &r.Measurement }},
	}
}

// Header is the names of the columns.
func Header() []string {
	columns := Columns()
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.Name
	}
	return names
}

// Cells of the row, in the order of the columns.
func (r *Row) Cells() []string {
	columns := Columns()
	cells := make([]string, len(columns))
	for i, column := range columns {
		cells[i] = *column.Field(r)
	}
	return cells
}

// Cell of the named column.
func (r *Row) Cell(name string) (string, error) {
	for _, column := range Columns() {
		if column.Name == name {
			return *column.Field(r), nil
		}
	}
	return "", fmt.Errorf("measurements have no column %q", name)
}
