package storechart

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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
	suggest(root, []map[string]any{root}, values, nil, &out)
	return out
}

// mismatch matches the validator's message about a text that a pattern does not allow: its path and the text.
var mismatch = regexp.MustCompile(`at '([^']*)': ('[^']*') does not match pattern '[^']*'`)

// byExample replaces the patterns of a message by the chart's default where there is one.
func (c *Chart) byExample(message string) string {
	return mismatch.ReplaceAllStringFunc(message, func(found string) string {
		parts := mismatch.FindStringSubmatch(found)
		path := strings.Split(strings.TrimPrefix(parts[1], "/"), "/")
		example, _, err := unstructured.NestedString(c.chart.Values, path...)
		if err != nil || example == "" {
			return found
		}
		return fmt.Sprintf("at '%s': %s has not the form of the default '%s'", parts[1], parts[2], example)
	})
}

// suggest reads all nodes that may apply to the values: a table can have other properties for some servers.
func suggest(root map[string]any, nodes []map[string]any, values map[string]any, path []string, out *[]string) {
	known, closed := map[string][]map[string]any{}, false
	for _, node := range nodes {
		branches(root, node, func(node map[string]any) {
			closed = closed || node["additionalProperties"] == false
			properties, _ := node["properties"].(map[string]any)
			for name, child := range properties {
				child, _ := child.(map[string]any)
				known[name] = append(known[name], child)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		here := append(slices.Clone(path), name)
		switch children, is := known[name]; {
		case is:
			if table, isTable := values[name].(map[string]any); isTable {
				suggest(root, children, table, here, out)
			}
		case closed && !slices.ContainsFunc(nodes, func(node map[string]any) bool { return fitsPattern(resolve(root, node), name) }):
			if similar := textfmt.Nearest(name, slices.Sorted(maps.Keys(known))); similar != "" {
				*out = append(*out, fmt.Sprintf("%s, did you mean %s?", strings.Join(here, "."), similar))
			}
		}
	}
}

// branches calls show for a node and for those that apply on a condition.
func branches(root, node map[string]any, show func(node map[string]any)) {
	node = resolve(root, node)
	show(node)
	for _, key := range []string{"then", "else"} {
		if branch, is := node[key].(map[string]any); is {
			branches(root, branch, show)
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
