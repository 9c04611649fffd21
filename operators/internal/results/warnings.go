package results

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Warnings summarises the warnings of the gates, with one line for each kind of warning: how many rows it concerns and, if the figures
// differ, the worst one. A warning starts with the name of its gate and a colon. Warnings are of one kind if they differ only in numbers,
// so an unknown figure and a bad one are two kinds.
func Warnings(rows []Row) []string {
	type kind struct {
		shape string
		rows  int
		// worst is the warning with the highest figure; texts are all distinct warnings.
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

// numbers matches the numbers in a warning, which differ between pods, nodes and measurements.
var numbers = regexp.MustCompile(`\d+(\.\d+)?`)

// figures matches numbers with the unit of a share or a time. Other numbers, such as a pod's index, have no order of severity.
var figures = regexp.MustCompile(`(\d+(?:\.\d+)?)\s?(%|ms\b|s\b)`)

// figure returns the figure that orders warnings of one kind, with times in seconds; -1 if there is none.
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

// alikeAttempts joins the reasons of attempts that failed for the same reason: attempts 1 to 3.
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
