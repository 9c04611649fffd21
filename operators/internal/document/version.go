package document

import (
	"encoding/json"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"ringside.dev/ringside/operators/api/convert"
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/api/v1beta1"
)

// Version returns the version of the document: v1alpha1 or v1beta1. Paths of --set refer to the fields of this version.
func (d *Document) Version() string {
	var head struct {
		APIVersion string `json:"apiVersion"`
	}
	if json.Unmarshal(d.json, &head) == nil && head.APIVersion == v1beta1.GroupVersion.String() {
		return v1beta1.GroupVersion.Version
	}
	return v1alpha1.GroupVersion.Version
}

// kind returns the type of the document's version.
func (d *Document) kind() reflect.Type {
	if d.Version() == v1beta1.GroupVersion.Version {
		return reflect.TypeFor[v1beta1.Experiment]()
	}
	return reflect.TypeFor[v1alpha1.Experiment]()
}

// mergeV1Alpha1 applies a JSON merge patch that is written for v1alpha1, as those of profiles are.
func (d *Document) mergeV1Alpha1(patch []byte) error {
	if d.Version() == v1alpha1.GroupVersion.Version {
		return d.Merge(patch)
	}
	var err error
	if d.json, err = d.JSON(); err != nil {
		return err
	}
	if err = d.Merge(patch); err != nil {
		return err
	}
	if _, err = d.Experiment(); err != nil { // while the fields of v1beta1 are unknown: a patch must not mean two things
		return err
	}
	d.json, err = convert.JSON(d.json, v1beta1.GroupVersion.String())
	return err
}

// In returns the document in an apiVersion. It has the annotation of what that version cannot express only if something would be lost without it.
func (d *Document) In(apiVersion string) (map[string]any, error) {
	own, err := d.Experiment()
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := utiljson.Unmarshal(d.json, &object); err != nil {
		return nil, fmt.Errorf("decoding %s: %w", d.Path, err)
	}
	converted, err := convert.Object(object, apiVersion)
	if err != nil {
		return nil, err
	}
	plain := convert.WithoutOriginal(converted)
	text, err := json.Marshal(plain)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", d.Path, err)
	}
	if again, err := (&Document{Path: d.Path, json: text}).Experiment(); err == nil && equality.Semantic.DeepEqual(own.Spec, again.Spec) {
		return plain, nil
	}
	return converted, nil
}
