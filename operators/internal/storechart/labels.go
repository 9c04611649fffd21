package storechart

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// labelRenderer adds labels to every object of a chart, its pods and its volume claims, and annotations to its pods, so that charts need no values
// for them. Those of the chart take precedence.
type labelRenderer map[string]string

// Run implements Helm's post-renderer.
func (r labelRenderer) Run(manifests *bytes.Buffer) (*bytes.Buffer, error) {
	reader := utilyaml.NewYAMLOrJSONDecoder(manifests, 4096)
	var out bytes.Buffer
	for {
		var object map[string]any
		if err := reader.Decode(&object); errors.Is(err, io.EOF) {
			return &out, nil
		} else if err != nil {
			return nil, fmt.Errorf("read a rendered manifest: %w", err)
		}
		if len(object) == 0 {
			continue
		}
		if err := r.label(object); err != nil {
			return nil, err
		}
		text, err := yaml.Marshal(object)
		if err != nil {
			return nil, fmt.Errorf("write a labelled manifest: %w", err)
		}
		out.WriteString("---\n")
		out.Write(text)
	}
}

func (r labelRenderer) label(object map[string]any) error {
	if err := add(object, r, "metadata", "labels"); err != nil {
		return err
	}
	if _, found, _ := unstructured.NestedMap(object, "spec", "template", "metadata"); found {
		if err := add(object, r, "spec", "template", "metadata", "labels"); err != nil {
			return err
		}
		if err := add(object, v1beta1.Undisturbed(), "spec", "template", "metadata", "annotations"); err != nil {
			return err
		}
	}
	claims, found, _ := unstructured.NestedSlice(object, "spec", "volumeClaimTemplates")
	if !found {
		return nil
	}
	for _, claim := range claims {
		if table, ok := claim.(map[string]any); ok {
			if err := add(table, r, "metadata", "labels"); err != nil {
				return err
			}
		}
	}
	return unstructured.SetNestedSlice(object, claims, "spec", "volumeClaimTemplates")
}

// add adds texts to the table at a path, except for names that it has.
func add(object map[string]any, texts map[string]string, path ...string) error {
	table, _, err := unstructured.NestedStringMap(object, path...)
	if err != nil {
		return fmt.Errorf("read the %s of %v: %w", path[len(path)-1], object["kind"], err)
	}
	if table == nil {
		table = map[string]string{}
	}
	for key, value := range texts {
		if _, taken := table[key]; !taken {
			table[key] = value
		}
	}
	return unstructured.SetNestedStringMap(object, table, path...)
}
