package release

import (
	"encoding/json"
	"io"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// Objects returns type and name of every object in a rendered manifest.
func Objects(manifest string) ([]metav1.PartialObjectMetadata, error) {
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(manifest), 4096)
	var objects []metav1.PartialObjectMetadata
	for {
		var object metav1.PartialObjectMetadata
		if err := reader.Decode(&object); err == io.EOF {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		if object.Kind != "" {
			objects = append(objects, object)
		}
	}
}

func workloads(manifest string) ([]Workload, error) {
	objects, err := Objects(manifest)
	if err != nil {
		return nil, err
	}
	var out []Workload
	for _, object := range objects {
		switch object.Kind {
		case "StatefulSet", "Deployment", "DaemonSet":
			out = append(out, Workload{Kind: object.Kind, Name: object.Name})
		}
	}
	return out, nil
}

// StatefulSets in a rendered manifest.
func StatefulSets(manifest string) ([]appsv1.StatefulSet, error) {
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(manifest), 4096)
	var sets []appsv1.StatefulSet
	for {
		var raw runtime.RawExtension
		if err := reader.Decode(&raw); err == io.EOF {
			return sets, nil
		} else if err != nil {
			return nil, err
		}
		var kind metav1.TypeMeta
		if err := json.Unmarshal(raw.Raw, &kind); err != nil || kind.Kind != "StatefulSet" {
			continue
		}
		var set appsv1.StatefulSet
		if err := json.Unmarshal(raw.Raw, &set); err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
}
