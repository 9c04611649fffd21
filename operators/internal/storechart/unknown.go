package storechart

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// suggestions suggests, for each value that the chart's schema does not know, the known value with the most similar name: concurrent_reads
// for cassandra.concurent_reads. Values without a similar one are left out.
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
			if similar := textfmt.Nearest(name, slices.Sorted(maps.Keys(known))); similar != "" {
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
