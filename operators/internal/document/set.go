package document

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

// Set applies path=value to the document: one or, as in Helm, several separated by commas. An element of a list is named by its index or by
// its name (spec.phases.read.threads=16). The value is YAML, or text if the field is text; {a,b} is a list, as in Helm.
func (d *Document) Set(argument string) error {
	list, err := assignments(argument)
	if err != nil {
		return err
	}
	return d.edit(func(tree any) (any, error) {
		for _, a := range list {
			path, kind := placeOf(reflect.TypeFor[v1beta1.Experiment](), a.path)
			if dotted(path) {
				return nil, problem.New(`write a key's dots as \., as in nodeSelector.topology\.kubernetes\.io/zone=a, or use a table: nodeSelector={topology.kubernetes.io/zone: a}`,
					"--set %q: the dots of a key would separate parts of the path", argument)
			}
			value, err := valueOf(a.text, kind)
			if err != nil {
				return nil, problem.New(err.Error(), "--set %q", argument)
			}
			if tree, err = setAt(tree, path, value); err != nil {
				return nil, problem.New(err.Error(), "--set %q does not match the experiment file", argument)
			}
		}
		return tree, nil
	})
}

// placeOf resolves a path in the type: its steps (a key of a map of texts is one step, even with dots) and the type at its end; nil
// if that is not known, as in a chart's values.
func placeOf(t reflect.Type, path []step) ([]step, reflect.Type) {
	for i, s := range path {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch {
		case t == valuesType || reflect.PointerTo(t).Implements(unmarshaler):
			return path, nil
		case t.Kind() == reflect.Slice:
			t = t.Elem()
		case t.Kind() == reflect.Map:
			name := make([]string, 0, len(path)-i)
			for _, part := range path[i:] {
				name = append(name, part.String())
			}
			return append(path[:i:i], step{key: strings.Join(name, "."), escaped: true}), t.Elem()
		case t.Kind() == reflect.Struct:
			field, known := fieldsOf(t)[s.key]
			if !known {
				return path, nil
			}
			t = field
		default:
			return path, nil
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return path, t
}

// pair matches a colon that YAML reads as the separator of a key and its value.
var pair = regexp.MustCompile(`:(\s|[,}\]]|$)`)

// valueOf parses a text for a field of that kind; kind is nil if not known. The error says what to write instead.
func valueOf(text string, kind reflect.Type) (any, error) {
	if text == "" {
		return nil, fmt.Errorf(`it has no value: write ="" for empty text, quoted for the shell ('path=""'), or =null to remove it`)
	}
	if inner, is := braced(text); is && (kind == nil || kind.Kind() == reflect.Slice) {
		var element reflect.Type
		if kind != nil {
			element = kind.Elem()
		}
		list := []any{}
		for part := range splitList(inner) {
			value, err := valueOf(strings.TrimSpace(part), element)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	}
	if strings.IndexByte(`{["'`, text[0]) < 0 {
		text = strings.ReplaceAll(text, `\,`, ",")
	}
	asJSON, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the value is not valid YAML (%s): quote it", yamlProblem(err))
	}
	var value any
	if err := utiljson.Unmarshal(asJSON, &value); err != nil {
		return nil, fmt.Errorf("the value is not valid YAML: quote it")
	}
	switch value.(type) {
	case nil, string, []any, map[string]any:
		return value, nil
	}
	if _, is := value.(bool); is && kind == nil && text != "true" && text != "false" {
		return text, nil // in a chart's values, as in Helm: YAML 1.1 reads on and off as booleans
	}
	if kind != nil && (kind.Kind() == reflect.String || kind == durationType) {
		return text, nil
	}
	return value, nil
}

// braced returns the content of a list in Helm's syntax, {a,b}: braces without a colon, which would make it a table.
func braced(text string) (string, bool) {
	if len(text) < 3 || text[0] != '{' || text[len(text)-1] != '}' || pair.MatchString(text[1:]) {
		return "", false
	}
	return text[1 : len(text)-1], true
}

// splitList splits a list at the commas that are not escaped, quoted or in brackets.
func splitList(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for {
			from := flowEnd(text)
			comma := unescaped(text[from:], ",")
			if comma < 0 {
				yield(text)
				return
			}
			if !yield(text[:from+comma]) {
				return
			}
			text = text[from+comma+1:]
		}
	}
}

// setAt returns tree with value at the path. Missing tables on the way are created, missing elements of lists are not.
func setAt(tree any, path []step, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	key := path[0]
	switch node := tree.(type) {
	case nil:
		if key.indexed {
			return nil, fmt.Errorf("there is no list for %s", key)
		}
		child, err := setAt(nil, path[1:], value)
		return map[string]any{key.key: child}, err
	case map[string]any:
		if key.indexed {
			return nil, fmt.Errorf("%s is an index, but there is a table, not a list", key)
		}
		child, err := setAt(node[key.key], path[1:], value)
		if err != nil {
			return nil, err
		}
		changed := maps.Clone(node)
		changed[key.key] = child
		return changed, nil
	case []any:
		index := -1
		if !key.indexed {
			index = indexOf(node, key.key)
		}
		if number, err := strconv.Atoi(key.key); index < 0 && err == nil && number >= 0 && number < len(node) {
			index = number
		}
		if index < 0 {
			return nil, fmt.Errorf("%q is neither a name nor an index of that list%s", key.key, namesIn(node))
		}
		child, err := setAt(node[index], path[1:], value)
		if err != nil {
			return nil, err
		}
		changed := slices.Clone(node)
		changed[index] = child
		return changed, nil
	default:
		return nil, fmt.Errorf("%q is not possible: there is a plain value, not a table", key.key)
	}
}

// namesIn returns the names in a list, for a message.
func namesIn(list []any) string {
	var names []string
	for _, element := range list {
		if name := nameOf(element); name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf(", which has %d", len(list))
	}
	return ", which has " + strings.Join(names, ", ")
}
