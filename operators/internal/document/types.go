package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Types that read their JSON themselves.
var (
	durationType = reflect.TypeFor[metav1.Duration]()
	quantityType = reflect.TypeFor[resource.Quantity]()
	gateType     = reflect.TypeFor[v1beta1.GateMode]()
	valuesType   = reflect.TypeFor[v1beta1.StoreSpec]().Field(fieldIndex(reflect.TypeFor[v1beta1.StoreSpec](), "values")).Type.Elem()
	unmarshaler  = reflect.TypeFor[json.Unmarshaler]()
)

const (
	wantTime     = "use a time with its unit, as in 90s or 1h30m"
	wantQuantity = "use a quantity, as in 500m or 16Mi"
	wantList     = "use a list, as in [a, b]"
	wantTable    = "use a table, as in {name: value}"
	wantWhole    = "use a whole number"
)

// fit checks a value against the type of its field before it is decoded, because the decoder's errors name Go types and fields. It
// returns the value as the field accepts it: YAML 1.1 reads Off as a boolean.
func fit(value any, t reflect.Type, path string) (any, []problem.Problem) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if value == nil {
		return nil, nil
	}
	wrong := func(want string) (any, []problem.Problem) {
		return value, []problem.Problem{problem.New(want, "%s is %s", path, written(value))}
	}
	switch {
	case t == durationType:
		if want := wantedTime(value); want != "" {
			return wrong(want)
		}
		return value, nil
	case t == quantityType:
		switch v := value.(type) {
		case string:
			if _, err := resource.ParseQuantity(v); err != nil {
				return wrong(wantQuantity)
			}
		case int64, float64:
		default:
			return wrong(wantQuantity)
		}
		return value, nil
	case t == gateType:
		return fitGate(value, path)
	case t == valuesType:
		if _, is := value.(map[string]any); !is {
			return wrong(wantTable)
		}
		return value, nil
	case reflect.PointerTo(t).Implements(unmarshaler):
		if text, err := json.Marshal(value); err != nil || json.Unmarshal(text, reflect.New(t).Interface()) != nil {
			return wrong("remove it: the cluster sets it")
		}
		return value, nil
	}
	switch t.Kind() {
	case reflect.String:
		if _, is := value.(string); !is {
			return wrong(wantedText(value, path))
		}
	case reflect.Bool:
		if _, is := value.(bool); !is {
			return wrong("use true or false, without quotes")
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		number, whole := wholeNumber(value)
		if !whole {
			return wrong(wantedWhole(value))
		}
		if reflect.Zero(t).OverflowInt(number) {
			return wrong(fmt.Sprintf("%s of at most %d", wantWhole, int64(math.MaxInt64)>>(64-t.Bits())))
		}
		return number, nil
	case reflect.Slice:
		return fitList(value, t, path)
	case reflect.Map:
		return fitMap(value, t, path)
	case reflect.Struct:
		return fitStruct(value, t, path)
	}
	return value, nil
}

// fitGate accepts the boolean that YAML 1.1 makes of Off.
func fitGate(value any, path string) (any, []problem.Problem) {
	modes := v1beta1.GateModes()
	names := make([]string, len(modes))
	for i, mode := range modes {
		names[i] = string(mode)
	}
	text, is := value.(string)
	switch {
	case value == false:
		return string(v1beta1.GateOff), nil
	case is && (text == "" || slices.Contains(names, text)):
		return value, nil
	}
	return value, []problem.Problem{problem.New("choose from "+strings.Join(names, ", "), "%s is %s", path, written(value))}
}

func fitList(value any, t reflect.Type, path string) (any, []problem.Problem) {
	list, is := value.([]any)
	if !is {
		return value, []problem.Problem{problem.New(wantList, "%s is %s", path, written(value))}
	}
	var problems []problem.Problem
	out := make([]any, len(list))
	for i, element := range list {
		fitted, found := fit(element, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
		out[i], problems = fitted, append(problems, found...)
	}
	return out, problems
}

func fitMap(value any, t reflect.Type, path string) (any, []problem.Problem) {
	table, is := value.(map[string]any)
	if !is {
		return value, []problem.Problem{problem.New(wantTable, "%s is %s", path, written(value))}
	}
	var problems []problem.Problem
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		fitted, found := fit(table[key], t.Elem(), path+"."+key)
		out[key], problems = fitted, append(problems, found...)
	}
	return out, problems
}

func fitStruct(value any, t reflect.Type, path string) (any, []problem.Problem) {
	table, is := value.(map[string]any)
	if !is {
		return value, []problem.Problem{problem.New(wantTable, "%s is %s", path, written(value))}
	}
	fields := fieldsOf(t)
	var problems []problem.Problem
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		field, known := fields[key]
		if !known {
			out[key], problems = table[key], append(problems, unknownField(at, path, key, slices.Sorted(maps.Keys(fields))))
			continue
		}
		fitted, found := fit(table[key], field, at)
		out[key], problems = fitted, append(problems, found...)
	}
	return out, problems
}

func unknownField(at, path, key string, known []string) problem.Problem {
	if near := textfmt.Nearest(key, known); near != "" {
		return problem.New("did you mean "+strings.TrimPrefix(path+"."+near, ".")+"?", "unknown field %q", at)
	}
	return problem.New("choose from "+strings.Join(known, ", "), "unknown field %q", at)
}

// fieldsOf returns the fields of a struct by their JSON names, including those of embedded structs.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported():
		case name == "" && (field.Anonymous || strings.Contains(options, "inline")):
			maps.Copy(fields, fieldsOf(field.Type))
		default:
			fields[name] = field.Type
		}
	}
	return fields
}

// fieldIndex returns the index of the field with a JSON name.
func fieldIndex(t reflect.Type, name string) int {
	for i := range t.NumField() {
		if own, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); own == name {
			return i
		}
	}
	panic("no field " + name)
}

// written formats a value for a message.
func written(value any) string {
	switch value.(type) {
	case map[string]any:
		return "a table"
	case []any:
		return "a list"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// wantedTime describes what to use instead of a value that is no time; empty for a time.
func wantedTime(value any) string {
	switch v := value.(type) {
	case string:
		if _, err := time.ParseDuration(v); err == nil {
			return ""
		}
		if number, err := strconv.ParseFloat(v, 64); err == nil {
			return wantedSeconds(number)
		}
	case int64:
		return wantedSeconds(float64(v))
	case float64:
		return wantedSeconds(v)
	}
	return wantTime + "; the units are h, m, s and ms"
}

// wantedSeconds suggests a time for a number without a unit.
func wantedSeconds(number float64) string {
	const longest = 1e9 // more than any field accepts
	if !(number >= 0 && number <= longest) {
		return wantTime
	}
	if number != math.Trunc(number) {
		return fmt.Sprintf("use a time with its unit, as in %s", time.Duration(number*float64(time.Second)).Round(time.Millisecond))
	}
	return fmt.Sprintf("use a time with its unit, as in %.0fs", number)
}

func wantedText(value any, path string) string {
	switch value.(type) {
	case map[string]any, []any:
		return "use text"
	}
	if _, field, _ := strings.Cut(path, "."); shareField.MatchString(field) { // a number alone is a multiple: 3 is 300%
		return fmt.Sprintf(`use text with its unit, as in "%s%%"`, written(value))
	}
	return fmt.Sprintf("use text; in quotes, as in %q, if YAML would read it as another type", written(value))
}

// shareField matches the fields that are shares.
var shareField = regexp.MustCompile(`(^|\.)(precision|equivalent|share|tolerance)$`)

func wantedWhole(value any) string {
	if text, is := value.(string); is {
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			return wantWhole + ", without quotes"
		}
	}
	return wantWhole
}

// wholeNumber returns a number without a fraction, including one written as 1e6.
func wholeNumber(value any) (int64, bool) {
	const exact = 1 << 53
	switch v := value.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) <= exact
	}
	return 0, false
}
