package reference

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/internal/textfmt"
)

const experimentCRD = "charts/ringside/files/crds/ringside.dev_experiments.yaml"

// resources documents the fields of an experiment file, from the schema by which the API server validates them.
func resources(root string) (*page, error) {
	content, err := os.ReadFile(filepath.Join(root, experimentCRD))
	if err != nil {
		return nil, fmt.Errorf("read the CRD: %w", err)
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(content, &crd); err != nil {
		return nil, fmt.Errorf("decode %s: %w", experimentCRD, err)
	}
	p := newPage("Experiment file", "the types in `operators/api/v1beta1`")
	p.paragraph("An experiment file is a custom resource of kind `Experiment`. `ringside check FILE` validates it without a cluster. `kubectl explain experiment.status`\n" +
		"and `kubectl explain measurement` describe what the operator writes. [Conditions and reasons](conditions.md) and [Gates](gates.md) have pages of their own.")
	version := crd.Spec.Versions[0]
	p.paragraph("`apiVersion: " + crd.Spec.Group + "/" + version.Name + "`, `kind: " + crd.Spec.Names.Kind + "`")
	object(p, "spec", version.Schema.OpenAPIV3Schema.Properties["spec"])
	return p, nil
}

// object adds the section of an object, and those of the objects in it.
func object(p *page, path string, schema apiextensionsv1.JSONSchemaProps) {
	p.heading(2, path)
	if schema.Description != "" {
		p.paragraph(prose(schema.Description))
	}
	if rules := ruleList(schema); rules != "" {
		p.paragraph("Rules: " + rules)
	}
	var rows [][]string
	var further []string
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		field := schema.Properties[name]
		kind := typeOf(field)
		if of, suffix := element(field); len(of.Properties) > 0 {
			kind = fmt.Sprintf("[%s](%s)", kind, anchor(path+"."+name+suffix))
			further = append(further, name)
		}
		rows = append(rows, []string{code(name), kind, defaultOf(field, slices.Contains(schema.Required, name)), aboutField(field)})
	}
	p.table([]string{"Field", "Type", "Default", "Meaning"}, rows)
	for _, name := range further {
		of, suffix := element(schema.Properties[name])
		object(p, path+"."+name+suffix, of)
	}
}

// element is what a field's section documents: an object, or the elements of a list or a map of objects.
func element(field apiextensionsv1.JSONSchemaProps) (of apiextensionsv1.JSONSchemaProps, suffix string) {
	switch {
	case field.Items != nil && field.Items.Schema != nil:
		return *field.Items.Schema, "[]"
	case field.AdditionalProperties != nil && field.AdditionalProperties.Schema != nil:
		return *field.AdditionalProperties.Schema, "{}"
	}
	return field, ""
}

func typeOf(field apiextensionsv1.JSONSchemaProps) string {
	switch {
	case field.Items != nil && field.Items.Schema != nil:
		return "list of " + typeOf(*field.Items.Schema)
	case field.AdditionalProperties != nil && field.AdditionalProperties.Schema != nil:
		return "map of " + typeOf(*field.AdditionalProperties.Schema)
	case field.XIntOrString:
		return "integer or string"
	case field.Format == "date-time":
		return "time"
	case field.Type == "":
		return "any"
	}
	return field.Type
}

func defaultOf(field apiextensionsv1.JSONSchemaProps, required bool) string {
	switch {
	case field.Default != nil:
		return code(string(field.Default.Raw))
	case required:
		return "required"
	}
	return ""
}

// aboutField is the meaning of a field, and what its value may be.
func aboutField(field apiextensionsv1.JSONSchemaProps) string {
	parts := []string{prose(sentence(textfmt.OneLine(field.Description)))}
	of, suffix := element(field)
	for _, limit := range append(limits(field), limitsOfElements(of, suffix)...) {
		parts = append(parts, sentence(limit))
	}
	if len(of.Properties) == 0 {
		parts = append(parts, ruleList(field))
	} else if suffix != "" {
		parts = append(parts, ruleList(apiextensionsv1.JSONSchemaProps{XValidations: field.XValidations}))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

func limitsOfElements(of apiextensionsv1.JSONSchemaProps, suffix string) []string {
	if suffix == "" || len(of.Properties) > 0 {
		return nil
	}
	var out []string
	for _, limit := range limits(of) {
		out = append(out, "Each: "+limit)
	}
	return out
}

// limits are what the schema allows, a phrase each.
func limits(field apiextensionsv1.JSONSchemaProps) []string {
	var out []string
	if len(field.Enum) > 0 {
		var values []string
		for _, value := range field.Enum {
			values = append(values, strings.Trim(string(value.Raw), `"`))
		}
		out = append(out, "one of "+codes(values))
	}
	out = append(out, between("", field.Minimum, field.Maximum)...)
	out = append(out, between("characters", asFloat(field.MinLength), asFloat(field.MaxLength))...)
	out = append(out, between("items", asFloat(field.MinItems), asFloat(field.MaxItems))...)
	out = append(out, between("entries", asFloat(field.MinProperties), asFloat(field.MaxProperties))...)
	if field.Pattern != "" {
		out = append(out, "pattern "+code(field.Pattern))
	}
	return out
}

func asFloat(n *int64) *float64 {
	if n == nil {
		return nil
	}
	value := float64(*n)
	return &value
}

func between(what string, low, high *float64) []string {
	var text string
	switch {
	case low != nil && high != nil:
		text = fmt.Sprintf("%.0f to %.0f", *low, *high)
	case low != nil:
		text = fmt.Sprintf("at least %.0f", *low)
	case high != nil:
		text = fmt.Sprintf("at most %.0f", *high)
	default:
		return nil
	}
	return []string{strings.TrimSpace(text + " " + what)}
}

// ruleList is the messages of a schema's rules.
func ruleList(schema apiextensionsv1.JSONSchemaProps) string {
	var out []string
	for _, rule := range schema.XValidations {
		text := rule.Message
		if text == "" {
			text = code(rule.Rule)
		} else {
			text = prose(text)
		}
		if said := sentence(text); !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return strings.Join(out, " ")
}
