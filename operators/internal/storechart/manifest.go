package storechart

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Objects returns the type and name of every object in a rendered manifest.
func Objects(manifest string) ([]metav1.PartialObjectMetadata, error) {
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(manifest), 4096)
	var objects []metav1.PartialObjectMetadata
	for {
		var object metav1.PartialObjectMetadata
		if err := reader.Decode(&object); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		if object.Kind != "" {
			objects = append(objects, object)
		}
	}
}

// workload has the fields that Workloads reads.
type workload struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        metav1.ObjectMeta `json:"metadata"`
	Spec            struct {
		Replicas *int32 `json:"replicas"`
		Template struct {
			Metadata metav1.ObjectMeta `json:"metadata"`
			Spec     corev1.PodSpec    `json:"spec"`
		} `json:"template"`
	} `json:"spec"`
}

// Workloads returns the workloads in a rendered manifest.
func Workloads(manifest string) ([]Workload, error) {
	var out []Workload
	err := each(manifest, hasPods, func(raw []byte) error {
		var object workload
		if err := json.Unmarshal(raw, &object); err != nil {
			return err
		}
		out = append(out, object.summary())
		return nil
	})
	return out, err
}

// Containers returns the containers of all workloads in a rendered manifest.
func Containers(manifest string) ([]corev1.Container, error) {
	var out []corev1.Container
	err := each(manifest, hasPods, func(raw []byte) error {
		var object workload
		if err := json.Unmarshal(raw, &object); err != nil {
			return err
		}
		out = slices.Concat(out, object.Spec.Template.Spec.InitContainers, object.Spec.Template.Spec.Containers)
		return nil
	})
	return out, err
}

func hasPods(kind string) bool {
	return kind == "StatefulSet" || kind == "Deployment" || kind == "DaemonSet"
}

func (w workload) summary() Workload {
	out := Workload{Kind: w.Kind, Name: w.Metadata.Name,
		Store: w.Spec.Template.Metadata.Labels[v1beta1.LabelComponent] == v1beta1.StoreComponent}
	if out.Store && w.Kind != "DaemonSet" {
		out.StorePods = 1
		if w.Spec.Replicas != nil {
			out.StorePods = *w.Spec.Replicas
		}
	}
	return out
}

// StatefulSets returns the StatefulSets in a rendered manifest.
func StatefulSets(manifest string) ([]appsv1.StatefulSet, error) {
	return ofKind[appsv1.StatefulSet](manifest, "StatefulSet")
}

// Services returns the Services in a rendered manifest.
func Services(manifest string) ([]corev1.Service, error) {
	return ofKind[corev1.Service](manifest, "Service")
}

func ofKind[T any](manifest, wanted string) ([]T, error) {
	var out []T
	err := each(manifest, func(kind string) bool { return kind == wanted }, func(raw []byte) error {
		var object T
		if err := json.Unmarshal(raw, &object); err != nil {
			return err
		}
		out = append(out, object)
		return nil
	})
	return out, err
}

// each calls show for each object of a wanted kind.
func each(manifest string, wanted func(kind string) bool, show func(raw []byte) error) error {
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(manifest), 4096)
	for {
		var raw runtime.RawExtension
		if err := reader.Decode(&raw); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var kind metav1.TypeMeta
		if err := json.Unmarshal(raw.Raw, &kind); err != nil || !wanted(kind.Kind) {
			continue
		}
		if err := show(raw.Raw); err != nil {
			return err
		}
	}
}
