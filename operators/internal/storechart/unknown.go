package storechart

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// suggestions name, for each value that the chart's schema does not know, the known one with the nearest name: concurrent_reads for
// cassandra.concurent_reads. Values without a similar one are left out.
func (c *Chart) suggestions(values map[string]any) []string {
	root, err := schemaNode(c.chart.Schema)
	if err != nil || root == nil {
		return nil
	}
	var out []string
	suggest(root, root, values, nil, &out)
	return out
}

func suggest(root, node, values map[string]any, path []string, out *[]string) {
	known, _ := node["properties"].(map[string]any)
	closed := node["additionalProperties"] == false
	for _, name := range slices.Sorted(maps.Keys(values)) {
		child, is := known[name].(map[string]any)
		here := append(slices.Clone(path), name)
		switch {
		case is:
			if table, isTable := values[name].(map[string]any); isTable {
				suggest(root, resolve(root, child), table, here, out)
			}
		case closed && !fitsPattern(node, name):
			if similar := nearest(name, slices.Sorted(maps.Keys(known))); similar != "" {
				*out = append(*out, fmt.Sprintf("%s, did you mean %s?", strings.Join(here, "."), similar))
			}
		}
	}
}

func fitsPattern(node map[string]any, name string) bool {
	patterns, _ := node["patternProperties"].(map[string]any)
	for pattern := range patterns {
		if matches, err := regexp.MatchString(pattern, name); err == nil && matches {
			return true
		}
	}
	return false
}

// nearest of the known names: the one that takes the fewest changed characters, if those are few; else the shortest that begins with the name, or
// that the name begins with, as versions of a store lengthen and shorten their settings' names.
func nearest(name string, known []string) string {
	best, fewest := "", max(len(name)/4, 2)+1
	for _, other := range known {
		if changes := distance(strings.ToLower(name), strings.ToLower(other)); changes < fewest {
			best, fewest = other, changes
		}
	}
	if best != "" {
		return best
	}
	for _, other := range known {
		longer := strings.HasPrefix(other, name+"_") || strings.HasPrefix(name, other+"_")
		if longer && (best == "" || len(other) < len(best)) {
			best = other
		}
	}
	return best
}

// distance is Levenshtein's: how many characters must be put, taken or exchanged.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			exchange := diagonal
			if a[i] != b[j] {
				exchange++
			}
			diagonal = row[j+1]
			row[j+1] = min(exchange, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
