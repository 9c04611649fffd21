package release

import (
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
