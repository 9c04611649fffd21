package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// Set lays path=value over the document. The path's parts are split by dots; an element of a list is named by its index
// or by its name (spec.phases.read.threads=16). The value is YAML, but for a parameter of a load and an option of a server, which are text
// whatever they look like.
func (d *Document) Set(assignment string) error {
	path, text, found := strings.Cut(assignment, "=")
	if !found || path == "" {
		return fault("write it as path=value, as in spec.phases.read.threads=16", "--set %q", assignment)
	}
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return fault("the value is YAML", "--set %q: %v", assignment, err)
	}
	parts := strings.Split(path, ".")
	if at := textAt(parts); at > 0 {
		parts = append(parts[:at:at], strings.Join(parts[at:], "."))
		if _, is := value.(string); !is && value != nil {
			value = text
		}
	}
	var tree any
	if err := json.Unmarshal(d.json, &tree); err != nil {
		return fmt.Errorf("decoding %s: %w", d.Path, err)
	}
	tree, err := setAt(tree, parts, value)
	if err != nil {
		return fault(err.Error(), "--set %q does not fit the document", assignment)
	}
	changed, err := json.Marshal(tree)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", d.Path, err)
	}
	d.json = changed
	return nil
}

// textAt is where in the path the name of a parameter or an option begins, which may have dots and has a text for a value; 0 where there is
// none. (A chart's values may be called as they like.)
func textAt(path []string) int {
	at := slices.IndexFunc(path, func(part string) bool { return part == "parameters" || part == "options" }) + 1
	if at == len(path) || slices.Contains(path[:at], "values") {
		return 0
	}
	return at
}

// setAt returns tree with value at the path. Objects on the way are made where they are missing, elements of lists are not.
func setAt(tree any, path []string, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	key := path[0]
	switch node := tree.(type) {
	case nil:
		child, err := setAt(nil, path[1:], value)
		return map[string]any{key: child}, err
	case map[string]any:
		child, err := setAt(node[key], path[1:], value)
		if err != nil {
			return nil, err
		}
		changed := maps.Clone(node)
		changed[key] = child
		return changed, nil
	case []any:
		index := slices.IndexFunc(node, func(element any) bool {
			object, is := element.(map[string]any)
			return is && object["name"] == key
		})
		if number, err := strconv.Atoi(key); index < 0 && err == nil && number >= 0 && number < len(node) {
			index = number
		}
		if index < 0 {
			return nil, fmt.Errorf("%q is neither a name nor an index in that list", key)
		}
		child, err := setAt(node[index], path[1:], value)
		if err != nil {
			return nil, err
		}
		changed := slices.Clone(node)
		changed[index] = child
		return changed, nil
	default:
		return nil, fmt.Errorf("there is a plain value where %q should be", key)
	}
}
