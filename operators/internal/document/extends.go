package document

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
)

// extendedProfile returns the JSON of a profile laid over that of the profile which it extends. extending are the files that led here.
func extendedProfile(file source.File, sources []source.Source, extending []string) ([]byte, error) {
	if slices.Contains(extending, file.Path) {
		return nil, problem.New("remove one extends", "profiles extend each other: %s", strings.Join(append(extending, file.Path), ", "))
	}
	text, own, err := readProfile(file)
	if err != nil || own.Extends == "" {
		return text, err
	}
	if !file.BuiltIn {
		sources = append([]source.Source{source.Dir(filepath.Dir(file.Path))}, sources...)
	}
	below, err := FindProfile(own.Extends, sources...)
	if err != nil {
		return nil, fmt.Errorf("profile %s: extends: %w", file.Path, err)
	}
	base, err := extendedProfile(below, sources, append(extending, file.Path))
	if err != nil {
		return nil, err
	}
	return layProfile(text, base)
}

// layProfile lays a profile over another one: its fields replace those below, and its patches follow those below.
func layProfile(above, below []byte) ([]byte, error) {
	var upper, lower map[string]any
	for text, into := range map[*[]byte]*map[string]any{&above: &upper, &below: &lower} {
		if err := utiljson.Unmarshal(*text, into); err != nil {
			return nil, fmt.Errorf("laying a profile over another one: %w", err)
		}
	}
	merged, _ := merge(lower, upper, "")
	first, _ := lower["patches"].([]any)
	then, _ := upper["patches"].([]any)
	merged.(map[string]any)["patches"] = slices.Concat(first, then)
	return json.Marshal(merged)
}
