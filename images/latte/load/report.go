package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// report is what is used of latte's report.
type report struct {
	Result struct {
		Log []struct {
			Requests int64 `json:"request_count"`
			Errors   int64 `json:"req_error_count"`
		} `json:"log"`
	} `json:"result"`
}

func readReport(path string) (report, error) {
	var r report
	text, err := os.ReadFile(path)
	if err != nil {
		return r, fmt.Errorf("reading latte's report: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("reading latte's report: %w", err)
	}
	return r, nil
}

// writeSummary writes the counts by their names in the contract. A cycle of the workload succeeds even if its request fails, so requests
// count. Their times are in the log whether they failed or not.
func (r report) writeSummary(path string) error {
	var requests, errors int64
	for _, interval := range r.Result.Log {
		requests += interval.Requests
		errors += interval.Errors
	}
	answered := requests - errors
	text := fmt.Sprintf("operations=%d\nerrors=%d\nkeys=%d\nlogged_errors=%d\n", answered, errors, answered, errors)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}
