package document

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// API holds the schema, rules and defaults of the Experiment CRD, from the same file that the cluster uses, to make the API server's checks
// without a cluster.
type API struct {
	structural *schema.Structural
	openAPI    validation.SchemaValidator
	rules      *cel.Validator
}

// ReadAPI reads the CRD from the operator's chart in the first source of charts that has it; nil if none has.
func ReadAPI(charts ...source.Source) (*API, error) {
	for _, from := range charts {
		files, err := fs.Glob(from, "ringside/files/crds/*.yaml")
		if err != nil {
			return nil, fmt.Errorf("finding the CRD: %w", err)
		}
		for _, file := range files {
			text, err := fs.ReadFile(from, file)
			if err != nil {
				return nil, fmt.Errorf("reading the CRD: %w", err)
			}
			var definition apiextensionsv1.CustomResourceDefinition
			if err := yaml.Unmarshal(text, &definition); err != nil {
				return nil, fmt.Errorf("decoding %s: %w", file, err)
			}
			if definition.Spec.Names.Kind == Kind {
				return newAPI(&definition)
			}
		}
	}
	return nil, nil
}

func newAPI(definition *apiextensionsv1.CustomResourceDefinition) (*API, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(definition.Spec.Versions[0].Schema.OpenAPIV3Schema, &internal, nil); err != nil {
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

// Complete sets the defaults and checks the document as the API server would.
func (a *API) Complete(ctx context.Context, d *Document) ([]problem.Problem, error) {
	var tree map[string]any
	if err := utiljson.Unmarshal(d.json, &tree); err != nil { // whole numbers stay whole: the rules distinguish them
		return nil, fmt.Errorf("decoding %s: %w", d.Path, err)
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(tree, a.structural)
	defaulting.Default(tree, a.structural)
	errs := append(validation.ValidateCustomResource(nil, tree, a.openAPI), listtype.ValidateListSetsAndMaps(nil, a.structural, tree)...)
	if len(errs) == 0 { // the rules require valid types
		errs, _ = a.rules.Validate(ctx, nil, a.structural, tree, nil, celconfig.RuntimeCELCostBudget)
	}
	var problems []problem.Problem
	for _, err := range errs {
		problems = append(problems, a.problem(err, d))
	}
	completed, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", d.Path, err)
	}
	d.json = completed
	return problem.Because(v1beta1.RefusedInvalidField, problems), nil
}

// problem returns a line with the value that is wrong and the values that are allowed.
func (a *API) problem(err *field.Error, d *Document) problem.Problem {
	path := strings.TrimSpace(err.Field)
	detail := strings.TrimPrefix(err.Detail, path+" in body ")
	if detail == "" {
		detail = err.ErrorBody()
	}
	value, plain := scalar(err.BadValue)
	fix := "fix it in " + d.Path
	if d.builtIn {
		fix = "correct the flag or profile that sets it"
	}
	switch {
	case err.Type == field.ErrorTypeRequired:
		return problem.New("set it; "+fix, "%s has no value", path)
	case err.Type == field.ErrorTypeNotSupported && plain:
		choices := strings.ReplaceAll(strings.TrimPrefix(detail, "supported values: "), `"`, "")
		word, _ := err.BadValue.(string)
		if near := textfmt.Nearest(word, strings.Split(choices, ", ")); near != "" {
			choices += "; did you mean " + near + "?"
		}
		return problem.New("choose from "+choices, "%s is %s", path, value)
	case err.Type == field.ErrorTypeTooMany && plain:
		return problem.New(fix, "%s has %s items, and %s", path, value, detail)
	case err.Type == field.ErrorTypeDuplicate:
		return problem.New("use each value once; "+fix, "%s repeats another: %s", path, strings.TrimPrefix(detail, "Duplicate value: "))
	case plain && strings.HasPrefix(detail, "should match ") && a.example(path) != "":
		return problem.New("use text as in "+a.example(path)+"; "+fix, "%s is %s", path, value)
	case plain && strings.HasPrefix(detail, "should "):
		return problem.New(fix, "%s is %s, and %s", path, value, detail)
	case plain && path != "":
		return problem.New(detail+"; "+fix, "%s is %s", path, value)
	}
	return problem.New(fix, "%s: %s", path, detail)
}

// asIn matches the examples in a description.
var asIn = regexp.MustCompile(`\bas in ((?:[^.;]|\.\S)+)`)

// example returns the examples of a field's description; empty if it has none.
func (a *API) example(path string) string {
	node := a.structural
	for _, name := range strings.Split(path, ".") {
		name, _, isElement := strings.Cut(name, "[")
		child, there := node.Properties[name]
		if !there {
			return ""
		}
		if node = &child; isElement && node.Items != nil {
			node = node.Items
		}
	}
	if found := asIn.FindStringSubmatch(strings.ReplaceAll(node.Description, "\n", " ")); found != nil {
		return strings.TrimSpace(found[1])
	}
	return ""
}

// scalar formats a value for a message; false for a list or a table.
func scalar(value any) (string, bool) {
	switch v := value.(type) {
	case string, bool, int, int32, int64, float64:
		return written(v), true
	}
	return "", false
}
