package convert

import (
	"encoding/json"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/api/v1beta1"
)

// ToV1Beta1 returns the experiment in v1beta1.
func ToV1Beta1(in *v1alpha1.Experiment) (*v1beta1.Experiment, error) {
	from := in.DeepCopy()
	from.APIVersion = v1alpha1.GroupVersion.String()
	out := &v1beta1.Experiment{}
	return out, between(from, out, v1beta1.GroupVersion.String())
}

// ToV1Alpha1 returns the experiment in v1alpha1.
func ToV1Alpha1(in *v1beta1.Experiment) (*v1alpha1.Experiment, error) {
	from := in.DeepCopy()
	from.APIVersion = v1beta1.GroupVersion.String()
	out := &v1alpha1.Experiment{}
	return out, between(from, out, v1alpha1.GroupVersion.String())
}

func between(from, to any, apiVersion string) error {
	text, err := json.Marshal(from)
	if err != nil {
		return fmt.Errorf("encoding an Experiment: %w", err)
	}
	converted, err := JSON(text, apiVersion)
	if err != nil {
		return err
	}
	if err := utiljson.Unmarshal(converted, to); err != nil {
		return fmt.Errorf("decoding an Experiment of %s: %w", apiVersion, err)
	}
	return nil
}

// JSON returns an Experiment, which is JSON, in the given apiVersion.
func JSON(text []byte, apiVersion string) ([]byte, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(text, &object); err != nil {
		return nil, fmt.Errorf("decoding an Experiment: %w", err)
	}
	converted, err := Object(object, apiVersion)
	if err != nil {
		return nil, err
	}
	return json.Marshal(converted)
}
