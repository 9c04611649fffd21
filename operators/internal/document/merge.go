package document

import (
	"maps"
	"reflect"
	"slices"
)

// merge lays a patch over a tree: a JSON merge patch (RFC 7396), but lists with named elements are merged by name, as --set finds them. skipped
// are the patch's elements that the tree does not have.
func merge(tree, patch any, at string) (merged any, skipped []string) {
	switch patch := patch.(type) {
	case map[string]any:
		below, _ := tree.(map[string]any)
		out := maps.Clone(below)
		if out == nil {
			out = map[string]any{}
		}
		for _, key := range slices.Sorted(maps.Keys(patch)) {
			if patch[key] == nil {
				delete(out, key)
				continue
			}
			value, missing := merge(out[key], patch[key], join(at, key))
			out[key], skipped = value, append(skipped, missing...)
		}
		return out, skipped
	case []any:
		below, is := tree.([]any)
		if !is || !named(below) || !named(patch) {
			return patch, nil
		}
		out := slices.Clone(below)
		for _, element := range patch {
			name := nameOf(element)
			i := indexOf(out, name)
			if i < 0 {
				skipped = append(skipped, join(at, name))
				continue
			}
			value, missing := merge(out[i], element, join(at, name))
			out[i], skipped = value, append(skipped, missing...)
		}
		return out, skipped
	default:
		return patch, nil
	}
}

// difference returns the patch that, laid over another patch's result, restores what tree sets differently from base.
func difference(base, tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		below, is := base.(map[string]any)
		if !is {
			return tree
		}
		out := map[string]any{}
		for key := range below {
			if _, kept := tree[key]; !kept {
				out[key] = nil
			}
		}
		for key, value := range tree {
			if !reflect.DeepEqual(below[key], value) {
				out[key] = difference(below[key], value)
			}
		}
		return out
	case []any:
		below, is := base.([]any)
		if !is || !named(below) || !named(tree) {
			return tree
		}
		out := make([]any, len(tree))
		for i, element := range tree {
			out[i] = element
			if at := indexOf(below, nameOf(element)); at >= 0 {
				changed := difference(below[at], element).(map[string]any) // elements with names are tables
				changed["name"] = nameOf(element)
				out[i] = changed
			}
		}
		return out
	default:
		return tree
	}
}

// named reports whether all elements of a list have names.
func named(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(element any) bool { return nameOf(element) == "" })
}

func nameOf(element any) string {
	object, _ := element.(map[string]any)
	name, _ := object["name"].(string)
	return name
}

func indexOf(list []any, name string) int {
	return slices.IndexFunc(list, func(element any) bool { return nameOf(element) == name })
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
