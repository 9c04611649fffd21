package controller

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// acceptedSpec returns what defines a run: the spec without suspend and ttlAfterFinished.
func acceptedSpec(spec v1alpha1.ExperimentSpec) (*apiextensionsv1.JSON, error) {
	spec.Suspend, spec.TTLAfterFinished = false, nil
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, fmt.Errorf("write the accepted spec: %w", err)
	}
	return &apiextensionsv1.JSON{Raw: text}, nil
}

// specChanged reports whether the spec differs from the one at the run's start. It compares only fields that existed
// then: a later version of the API may have added fields with defaults, which are no change. The API server rejects
// changes of fields by users. Tables with keys of the user's choice must be equal on both sides.
func specChanged(accepted *apiextensionsv1.JSON, spec v1alpha1.ExperimentSpec) (bool, error) {
	now, err := acceptedSpec(spec)
	if err != nil {
		return false, err
	}
	var then, present any
	if err := json.Unmarshal(accepted.Raw, &then); err != nil {
		return false, fmt.Errorf("read the accepted spec: %w", err)
	}
	if err := json.Unmarshal(now.Raw, &present); err != nil {
		return false, fmt.Errorf("read the spec: %w", err)
	}
	return !contains(present, then), nil
}

// freeTables are the fields of a spec with keys of the user's choice.
var freeTables = tablesIn(reflect.TypeFor[v1alpha1.ExperimentSpec]())

// tablesIn returns the JSON names of the fields, at any depth of a type, that are maps or JSON of any form.
func tablesIn(root reflect.Type) map[string]bool {
	tables, seen := map[string]bool{}, map[reflect.Type]bool{}
	var walk func(t reflect.Type, name string)
	walk = func(t reflect.Type, name string) {
		switch {
		case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice:
			walk(t.Elem(), name)
		case t.Kind() == reflect.Map || t == reflect.TypeFor[apiextensionsv1.JSON]():
			tables[name] = true
		case t.Kind() == reflect.Struct && !seen[t]:
			seen[t] = true
			for i := range t.NumField() {
				if field := t.Field(i); field.IsExported() {
					name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
					walk(field.Type, name)
				}
			}
		}
	}
	walk(root, "")
	return tables
}

// contains reports whether present has all of then, unchanged.
func contains(present, then any) bool {
	switch then := then.(type) {
	case map[string]any:
		table, ok := present.(map[string]any)
		if !ok {
			return false
		}
		for key, value := range then {
			if freeTables[key] && !reflect.DeepEqual(table[key], value) || !contains(table[key], value) {
				return false
			}
		}
		for key := range table {
			if _, was := then[key]; freeTables[key] && !was {
				return false
			}
		}
		return true
	case []any:
		list, ok := present.([]any)
		if !ok || len(list) != len(then) {
			return false
		}
		for i := range then {
			if !contains(list[i], then[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(present, then)
}
