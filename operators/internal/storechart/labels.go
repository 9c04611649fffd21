package storechart

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// labelRenderer adds labels to every object of a chart, its pods and its volume claims, and annotations and affinity to its pods, so that charts
// need no values for them. Those of the chart take precedence.
type labelRenderer struct {
	labels map[string]string
	// together is the preferred affinity of the store's pods; nil for none.
	together map[string]any
}

// beside returns the preferred affinity of a release's pods to those of other releases with the same labels: all stores then have the same nodes.
func beside(order Order) map[string]any {
	if !order.Beside {
		return nil
	}
	labels := map[string]any{v1beta1.LabelComponent: v1beta1.StoreComponent}
	for name, value := range order.Labels {
		labels[name] = value
	}
	return map[string]any{"weight": int64(100), "podAffinityTerm": map[string]any{
		"topologyKey": corev1.LabelHostname,
		"labelSelector": map[string]any{
			"matchLabels":      labels,
			"matchExpressions": []any{map[string]any{"key": v1beta1.LabelInstance, "operator": "NotIn", "values": []any{order.Release}}},
		},
	}}
}

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
	if err := add(object, r.labels, "metadata", "labels"); err != nil {
		return err
	}
	if _, found, _ := unstructured.NestedMap(object, "spec", "template", "metadata"); found {
		if err := add(object, r.labels, "spec", "template", "metadata", "labels"); err != nil {
			return err
		}
		if err := r.putTogether(object); err != nil {
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
			if err := add(table, r.labels, "metadata", "labels"); err != nil {
				return err
			}
		}
	}
	return unstructured.SetNestedSlice(object, claims, "spec", "volumeClaimTemplates")
}

// putTogether adds the preferred affinity to pods of the store.
func (r labelRenderer) putTogether(object map[string]any) error {
	component, _, _ := unstructured.NestedString(object, "spec", "template", "metadata", "labels", v1beta1.LabelComponent)
	if r.together == nil || component != v1beta1.StoreComponent {
		return nil
	}
	path := []string{"spec", "template", "spec", "affinity", "podAffinity", "preferredDuringSchedulingIgnoredDuringExecution"}
	terms, _, err := unstructured.NestedSlice(object, path...)
	if err != nil {
		return fmt.Errorf("read the pod affinity of %v: %w", object["kind"], err)
	}
	return unstructured.SetNestedSlice(object, append(terms, r.together), path...)
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
