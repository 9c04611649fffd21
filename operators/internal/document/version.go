package document

import (
	"encoding/json"
	"reflect"

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

// mergeOld applies a JSON merge patch that is written for v1alpha1, as those of profiles are.
func (d *Document) mergeOld(patch []byte) error {
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
	d.json, err = convert.JSON(d.json, v1beta1.GroupVersion.String())
	return err
}
