package convert

import (
	"encoding/json"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

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
