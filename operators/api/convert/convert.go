package convert

import (
	"encoding/json"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/api/v1beta1"
)

// AnnotationOriginal is on an object that another version cannot express exactly. It has the fields of the spec that differ, as they were written,
// by the name of their version. A conversion back restores those that did not change meanwhile.
const AnnotationOriginal = "ringside.dev/converted-from"

// direction of a conversion.
type direction bool

const (
	toBeta  direction = true
	toAlpha direction = false
)

// version returns the apiVersion that a conversion in this direction gives.
func (d direction) version() string {
	if d == toBeta {
		return v1beta1.GroupVersion.String()
	}
	return v1alpha1.GroupVersion.String()
}

// Object returns an Experiment in the given apiVersion. The input is not changed, and the result shares nothing with it. An object that already
// has the version is returned as it is. The error is for an unknown version.
func Object(object map[string]any, apiVersion string) (map[string]any, error) {
	out := runtime.DeepCopyJSON(object)
	from, _ := object["apiVersion"].(string)
	var way direction
	switch {
	case from == apiVersion:
		return out, nil
	case from == toAlpha.version() && apiVersion == toBeta.version():
		way = toBeta
	case from == toBeta.version() && apiVersion == toAlpha.version():
		way = toAlpha
	default:
		return nil, fmt.Errorf("converting an Experiment from %q to %q: the versions are %s and %s; use one of them", from, apiVersion, toAlpha.version(), toBeta.version())
	}
	out["apiVersion"] = apiVersion
	if spec, is := out["spec"].(map[string]any); is {
		lost := convertSpec(spec, takeOriginal(out, apiVersion), way)
		putOriginal(out, from, lost)
	}
	if status, is := out["status"].(map[string]any); is {
		statusFields.convert(status, way)
	}
	return out, nil
}

// convertSpec converts the fields of a spec that differ. original are such fields in the version of the result, from before an earlier conversion.
// It returns the fields that a conversion back would not give.
func convertSpec(spec, original map[string]any, way direction) (lost map[string]any) {
	lost = map[string]any{}
	for name, convert := range specFields {
		given, there := spec[name]
		if before, kept := original[name]; kept && same(convert, before, !way, given, there) {
			spec[name] = before
			continue
		}
		delete(spec, name)
		if !there {
			continue
		}
		converted, possible := convert(given, way)
		if possible {
			spec[name] = converted
		}
		if !possible || !same(convert, converted, !way, given, true) {
			lost[name] = given
		}
	}
	return lost
}

// same reports whether the conversion of value gives what is given; there is false if nothing is.
func same(convert func(any, direction) (any, bool), value any, way direction, given any, there bool) bool {
	converted, possible := convert(value, way)
	return possible == there && (!there || reflect.DeepEqual(converted, given))
}

// takeOriginal removes the annotation from an object, and returns what it keeps of a version.
func takeOriginal(object map[string]any, apiVersion string) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, there := annotations[AnnotationOriginal].(string)
	if !there {
		return nil
	}
	delete(annotations, AnnotationOriginal)
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	var kept map[string]map[string]any
	if utiljson.Unmarshal([]byte(text), &kept) != nil {
		return nil // a user wrote it
	}
	return kept[apiVersion]
}

// WithoutOriginal returns the object without what it keeps for a conversion back.
func WithoutOriginal(object map[string]any) map[string]any {
	out := runtime.DeepCopyJSON(object)
	takeOriginal(out, "")
	return out
}

// putOriginal keeps fields of a version in the object's annotation.
func putOriginal(object map[string]any, apiVersion string, fields map[string]any) {
	if len(fields) == 0 {
		return
	}
	text, err := json.Marshal(map[string]any{apiVersion: fields})
	if err != nil {
		return // not possible: the fields were JSON
	}
	metadata := child(object, "metadata")
	child(metadata, "annotations")[AnnotationOriginal] = string(text)
}

// child returns the table at a key, which it makes if there is none.
func child(table map[string]any, key string) map[string]any {
	inner, is := table[key].(map[string]any)
	if !is {
		inner = map[string]any{}
		table[key] = inner
	}
	return inner
}
