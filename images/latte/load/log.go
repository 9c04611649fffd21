package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// requestTag begins the lines of requests in latte's log. Those of cycles contain what the workload's script takes besides.
const requestTag = "Tag=requests,"

var errNoRequests = errors.New("it has no request")

// convertLog copies latte's log with the times of its requests as service times of the operation.
func convertLog(from, to, operation string) error {
	in, err := os.Open(filepath.Clean(from))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(filepath.Clean(to))
	if err != nil {
		return err
	}
	written := bufio.NewWriter(out)
	found := false
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20) // the longest line of the contract
	for lines.Scan() {
		line := lines.Text()
		switch times, request := strings.CutPrefix(line, requestTag); {
		case request:
			found = true
			_, _ = fmt.Fprintf(written, "Tag=%s-st,%s\n", operation, times)
		case !strings.HasPrefix(line, "Tag="):
			_, _ = fmt.Fprintln(written, line)
		}
	}
	err = errors.Join(lines.Err(), written.Flush(), out.Close())
	if err == nil && !found {
		return errNoRequests
	}
	return err
}
