// Package conform validates rendered charts against the API schemas of Kubernetes versions, with kubeconform.
package conform

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// schema is a JSON schema.
type schema = map[string]any

// reference is the prefix of references in Kubernetes' OpenAPI document.
const reference = "#/definitions/"

// kind names a kind in Kubernetes' OpenAPI document.
type kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// file is the name of the kind's schema, as kubeconform looks for it.
func (k kind) file() string {
	name := strings.ToLower(k.Kind)
	if group, _, _ := strings.Cut(k.Group, "."); group != "" {
		name += "-" + strings.ToLower(group)
	}
	return name + "-" + k.Version + ".json"
}

// Schemas returns a strict schema of each kind in Kubernetes' OpenAPI document (version 2), by file name. Unknown fields are errors, and fields that are
// not required may be null.
func Schemas(openapi []byte) (map[string][]byte, error) {
	var document struct {
		Definitions map[string]schema `json:"definitions"`
	}
	if err := json.Unmarshal(openapi, &document); err != nil {
		return nil, fmt.Errorf("decode Kubernetes' OpenAPI document: %w", err)
	}
	needs := map[string][]string{}
	for name, definition := range document.Definitions {
		needs[name] = referencesIn(definition)
		strict(name, definition)
	}
	files := map[string][]byte{}
	for name, definition := range document.Definitions {
		kinds, err := kindsOf(definition)
		if err != nil {
			return nil, fmt.Errorf("decode the kinds of %s: %w", name, err)
		}
		if len(kinds) != 1 { // such as DeleteOptions, which every group has
			continue
		}
		all := map[string]bool{}
		collect(name, needs, all)
		definitions := schema{}
		for needed := range all {
			definitions[needed] = document.Definitions[needed]
		}
		text, err := json.Marshal(schema{"$ref": reference + name, "definitions": definitions})
		if err != nil {
			return nil, fmt.Errorf("encode the schema of %s: %w", name, err)
		}
		files[kinds[0].file()] = text
	}
	return files, nil
}

func kindsOf(definition schema) ([]kind, error) {
	text, err := json.Marshal(definition["x-kubernetes-group-version-kind"])
	if err != nil {
		return nil, err
	}
	var kinds []kind
	return kinds, json.Unmarshal(text, &kinds)
}

func collect(name string, needs map[string][]string, into map[string]bool) {
	if into[name] {
		return
	}
	into[name] = true
	for _, needed := range needs[name] {
		collect(needed, needs, into)
	}
}

func referencesIn(part any) []string {
	var found []string
	switch part := part.(type) {
	case schema:
		if target, is := part["$ref"].(string); is {
			found = append(found, strings.TrimPrefix(target, reference))
		}
		for _, key := range slices.Sorted(maps.Keys(part)) {
			found = append(found, referencesIn(part[key])...)
		}
	case []any:
		for _, inner := range part {
			found = append(found, referencesIn(inner)...)
		}
	}
	return found
}

// textOrNumber are the types that the document describes as text, although the API also accepts numbers.
var textOrNumber = []string{"io.k8s.apimachinery.pkg.util.intstr.IntOrString", "io.k8s.apimachinery.pkg.api.resource.Quantity"}

// strict makes a definition reject unknown fields and accept null for those that are not required.
func strict(name string, definition schema) {
	delete(definition, "description")
	if slices.Contains(textOrNumber, name) {
		clear(definition)
		definition["type"] = []any{"string", "number"}
		return
	}
	properties, has := definition["properties"].(schema)
	if !has {
		return
	}
	definition["additionalProperties"] = false
	required, _ := definition["required"].([]any)
	for field, property := range properties {
		property := property.(schema)
		delete(property, "description")
		delete(property, "default")
		if property["format"] == "int-or-string" {
			property["type"] = []any{"string", "number"}
			delete(property, "format")
		}
		if !slices.Contains(required, any(field)) {
			properties[field] = schema{"anyOf": []any{property, schema{"type": "null"}}}
		}
	}
}
