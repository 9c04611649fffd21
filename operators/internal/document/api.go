package document

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// API holds the rules and defaults of the Experiment's definition, the same file that the cluster enforces:
// what the API server would say is known before there is one.
type API struct {
	structural *schema.Structural
	openAPI    validation.SchemaValidator
	rules      *cel.Validator
}

// ReadAPI reads the definition from the operator's chart in the folder of charts; nil when it is not at hand.
func ReadAPI(charts string) (*API, error) {
	files, err := filepath.Glob(filepath.Join(charts, "ringside", "files", "crds", "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("looking for the API's definition: %w", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading the API's definition: %w", err)
		}
		var definition apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(text, &definition); err != nil {
			return nil, fmt.Errorf("decoding %s: %w", file, err)
		}
		if definition.Spec.Names.Kind == Kind {
			return newAPI(&definition)
		}
	}
	return nil, nil
}

func newAPI(definition *apiextensionsv1.CustomResourceDefinition) (*API, error) {
	for _, version := range definition.Spec.Versions {
		if version.Name != v1alpha1.GroupVersion.Version || version.Schema == nil {
			continue
		}
		var internal apiextensions.JSONSchemaProps
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, &internal, nil); err != nil {
			return nil, fmt.Errorf("converting the definition of %s: %w", definition.Name, err)
		}
		structural, err := schema.NewStructural(&internal)
		if err != nil {
			return nil, fmt.Errorf("reading the definition of %s: %w", definition.Name, err)
		}
		openAPI, _, err := validation.NewSchemaValidator(&internal)
		if err != nil {
			return nil, fmt.Errorf("compiling the definition of %s: %w", definition.Name, err)
		}
		return &API{structural: structural, openAPI: openAPI, rules: cel.NewValidator(structural, true, celconfig.PerCallLimit)}, nil
	}
	return nil, fmt.Errorf("%s has no version %s", definition.Name, v1alpha1.GroupVersion.Version)
}

// Complete fills in the defaults and holds the document against the rules: what the API server would store, and its faults.
func (a *API) Complete(ctx context.Context, d *Document) ([]Fault, error) {
	var tree map[string]any
	if err := utiljson.Unmarshal(d.json, &tree); err != nil { // whole numbers stay whole: the rules tell them apart
		return nil, fmt.Errorf("decoding %s: %w", d.Path, err)
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(tree, a.structural)
	defaulting.Default(tree, a.structural)
	errs := append(validation.ValidateCustomResource(nil, tree, a.openAPI), listtype.ValidateListSetsAndMaps(nil, a.structural, tree)...)
	if len(errs) == 0 && a.rules != nil { // the rules presume the types
		errs, _ = a.rules.Validate(ctx, nil, a.structural, tree, nil, celconfig.RuntimeCELCostBudget)
	}
	var faults []Fault
	for _, err := range errs {
		place := err.Field
		detail := err.Detail
		if detail == "" {
			detail = err.ErrorBody()
		}
		faults = append(faults, Fault{What: strings.TrimSpace(place + " " + strings.TrimPrefix(detail, place+" in body ")), Mend: "mend it in " + d.Path})
	}
	completed, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", d.Path, err)
	}
	d.json = completed
	return faults, nil
}
