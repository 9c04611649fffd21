package meter

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// summary holds the tool's own counts. told is false if it reported none.
type summary struct {
	operations, errors, keys, unanswered int64
	// notBegun counts operations that were due, but given up before they began.
	notBegun int64
	// outcomes counts the successful operations by outcome.
	outcomes map[string]int64
	// loggedErrors counts the failed operations whose times are in the log.
	loggedErrors int64
	// errorKinds counts the failed operations by kind; nil if the load distinguishes none.
	errorKinds map[v1beta1.ErrorKind]int64
	search     search
	recovery   recovery
	told       bool
}

// maxSummary in bytes exceeds any summary: that of 16 servers with 300 steps each.
const maxSummary = 1 << 20

// readSummary reads the optional name=value lines of a load, for each of the tags. Names begin with a tag and a dot; for the empty tag of
// an ordinary phase, with neither.
func readSummary(shared folder, tags []string) (map[string]summary, error) {
	file, err := shared.open(summaryName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the load's summary: %w", err)
	}
	defer file.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(file, maxSummary+1))
	if err != nil {
		return nil, fmt.Errorf("read the load's summary: %w", err)
	}
	if len(data) > maxSummary {
		return nil, fmt.Errorf("the load's summary is longer than %d bytes", maxSummary)
	}
	return parseSummary(string(data), tags)
}

func parseSummary(text string, tags []string) (map[string]summary, error) {
	found := map[string]*summary{}
	for _, tag := range tags {
		found[tag] = &summary{}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("the load's summary has the line %q, not name=value", line)
		}
		if err := takeLine(found, strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("the load's summary %w", err)
		}
	}
	out := map[string]summary{}
	for tag, s := range found {
		out[tag] = *s
	}
	return out, nil
}

// takeLine assigns a line to the summary of the tag in its name.
func takeLine(found map[string]*summary, name, value string) error {
	for tag, s := range found {
		word, ours := name, true
		if tag != "" {
			word, ours = strings.CutPrefix(name, tag+".")
		}
		if !ours {
			continue
		}
		if known, err := s.take(word, value); known {
			return err
		}
	}
	words := strings.Join(slices.Sorted(maps.Keys((&summary{}).fields())), ", ")
	return fmt.Errorf("has the unknown name %q; use %s, outcome.<name>, error.<kind> and step.<number>, each with its server's tag as a prefix if there are several", name, words)
}

// fields returns the counts of a summary by name.
func (s *summary) fields() map[string]*int64 {
	return map[string]*int64{
		"operations": &s.operations, "errors": &s.errors, "keys": &s.keys, "logged_errors": &s.loggedErrors, "unanswered": &s.unanswered,
		"not_begun": &s.notBegun,
		"capacity":  &s.search.capacity, "settled": &s.search.settled,
	}
}

// take parses a count; known is false for an unknown name.
func (s *summary) take(name, value string) (known bool, err error) {
	if number, ok := strings.CutPrefix(name, stepWord); ok {
		return true, s.search.add(number, value)
	}
	if word, ok := strings.CutPrefix(name, recoveryWord); ok {
		return true, s.recovery.take(word, value)
	}
	field := s.fields()[name]
	outcome, isOutcome := strings.CutPrefix(name, outcomeWord)
	kind, isKind := strings.CutPrefix(name, errorWord)
	if field == nil && !(isOutcome && v1beta1.IsOutcomeName(outcome)) && !(isKind && isErrorKind(kind)) {
		return false, nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return true, fmt.Errorf("says %q, not a count", name+"="+value)
	}
	switch {
	case isKind:
		s.countError(v1beta1.ErrorKind(kind), n)
		return true, nil
	case isOutcome:
		s.count(outcome, n)
		return true, nil
	}
	*field = n
	s.told = s.told || field == &s.operations
	return true, nil
}
