package table

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/results"
)

// Warnings gathers what the gates warned of: a line for each kind of warning, which says how many rows it concerns and, where the figures
// differ, the worst of them. A warning names its gate before a colon. Warnings are of one kind when they differ in nothing but numbers: that
// something was not known and that it was bad are two.
func Warnings(rows []results.Row) []string {
	type kind struct {
		shape string
		rows  int
		// worst is the warning with the highest figure; texts are all that were given.
		worst string
		texts []string
	}
	var kinds []*kind
	for _, row := range rows {
		var counted []*kind
		for _, warning := range row.Warnings {
			shape := numbers.ReplaceAllString(warning, "#")
			at := slices.IndexFunc(kinds, func(k *kind) bool { return k.shape == shape })
			if at < 0 {
				kinds = append(kinds, &kind{shape: shape, worst: warning})
				at = len(kinds) - 1
			}
			k := kinds[at]
			if !slices.Contains(counted, k) {
				counted = append(counted, k)
				k.rows++
			}
			if !slices.Contains(k.texts, warning) {
				k.texts = append(k.texts, warning)
			}
			if figure(warning) > figure(k.worst) {
				k.worst = warning
			}
		}
	}
	lines := make([]string, len(kinds))
	for i, k := range kinds {
		concerned := fmt.Sprintf("%d of %d rows", k.rows, len(rows))
		if k.rows == len(rows) {
			concerned = "every row"
		}
		gate, detail, named := strings.Cut(k.worst, ": ")
		if !named {
			gate, detail = "", k.worst
		}
		lines[i] = strings.TrimPrefix(gate+", ", ", ") + concerned + ": "
		switch more := len(k.texts) - 1; {
		case more == 0:
			lines[i] += detail
		case slices.ContainsFunc(k.texts, func(text string) bool { return figure(text) >= 0 }):
			lines[i] += fmt.Sprintf("at worst, %s (and %d that differ in their figures)", detail, more)
		default:
			lines[i] += fmt.Sprintf("%s (and %d of the same kind)", detail, more)
		}
	}
	return lines
}

// numbers in a warning: what they stand for differs from one pod, node or measurement to the next.
var numbers = regexp.MustCompile(`\d+(\.\d+)?`)

// figures are numbers with a share or a time as their unit: of others, such as a pod's index, none is worse.
var figures = regexp.MustCompile(`(\d+(?:\.\d+)?)\s?(%|ms\b|s\b)`)

// figure of a warning by which one of a kind is worse than another; -1 where it has none. Times are in seconds.
func figure(warning string) float64 {
	found := figures.FindStringSubmatch(warning)
	if found == nil {
		return -1
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		return -1
	}
	if found[2] == "ms" {
		value /= 1000
	}
	return value
}

// alikeAttempts gathers the reasons of attempts that failed for one reason: attempts 1 to 3.
func alikeAttempts(reasons []string) []string {
	var out []string
	attempts := map[string][]string{}
	for _, reason := range reasons {
		number, why, is := strings.Cut(strings.TrimPrefix(reason, "attempt "), ": ")
		if _, err := strconv.Atoi(number); !is || err != nil || !strings.HasPrefix(reason, "attempt ") {
			out = append(out, reason)
			continue
		}
		if attempts[why] == nil {
			out = append(out, why)
		}
		attempts[why] = append(attempts[why], number)
	}
	for i, reason := range out {
		switch of := attempts[reason]; len(of) {
		case 0:
		case 1:
			out[i] = "attempt " + of[0] + ": " + reason
		default:
			out[i] = "attempts " + strings.Join(of[:len(of)-1], ", ") + " and " + of[len(of)-1] + ": " + reason
		}
	}
	return out
}
