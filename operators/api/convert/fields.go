package convert

import "strings"

// field is a field that the two versions write differently. Its path has dots where it is in another table. Fields in no list are the same.
type field struct {
	alpha, beta string
	value       codec
}

// codec converts a value; false if the other version does not have it.
type codec func(value any, way direction) (any, bool)

type fields []field

// convert converts a table in place. What cannot be converted is removed.
func (all fields) convert(table map[string]any, way direction) {
	for _, f := range all {
		from, to := f.beta, f.alpha
		if way == toBeta {
			from, to = f.alpha, f.beta
		}
		value, there := take(table, from)
		if !there {
			continue
		}
		if converted, possible := f.value(value, way); possible {
			put(table, to, converted)
		}
	}
}

// take removes a field and returns it. A table that exists only for such fields goes with the last one.
func take(table map[string]any, path string) (value any, there bool) {
	key, rest, nested := strings.Cut(path, ".")
	if !nested {
		value, there = table[key]
		delete(table, key)
		return value, there
	}
	inner, is := table[key].(map[string]any)
	if !is {
		return nil, false
	}
	if value, there = take(inner, rest); len(inner) == 0 && key == sweep {
		delete(table, key)
	}
	return value, there
}

func put(table map[string]any, path string, value any) {
	key, rest, nested := strings.Cut(path, ".")
	if !nested {
		table[key] = value
		return
	}
	put(child(table, key), rest, value)
}

// unchanged is the codec of a field that is only named differently.
func unchanged(value any, _ direction) (any, bool) { return value, true }

// some is the codec of a field in which v1alpha1 accepts a zero value with the meaning of none, and v1beta1 does not.
func some(value any, way direction) (any, bool) { return value, way == toAlpha || !zero(value) }

func zero(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case int64:
		return v == 0
	case string:
		return v == "" || v == "0s"
	case []any:
		return len(v) == 0
	}
	return false
}
