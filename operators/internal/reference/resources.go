package reference

import (
	"encoding/json"
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

const crds = "charts/ringside/files/crds"

// resources documents the custom resources, from the schemas by which the API server validates them.
func resources(root string) (*page, error) {
	files, err := filepath.Glob(filepath.Join(root, crds, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("list the CRDs: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("list the CRDs: %s has none; run `go generate ./operators/api/...`", crds)
	}
	p := newPage("Custom resources", "the types in `operators/api/v1alpha1`")
	p.paragraph("An experiment file is an [Experiment](#experiment). `ringside check FILE` validates it without a cluster. The operator writes one\n" +
		"[Measurement](#measurement) for each phase on each server in each round. While it is taken, each of its load pods writes a\n" +
		"[MeasurementPart](#measurementpart). [Conditions and reasons](conditions.md) and [Gates](gates.md) have pages of their own.")
	var all []apiextensionsv1.CustomResourceDefinition
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read the CRD: %w", err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(content, &crd); err != nil {
			return nil, fmt.Errorf("decode %s: %w", file, err)
		}
		all = append(all, crd)
	}
	// Kinds without a spec are last: MeasurementPart refers to sections of Measurement.
	slices.SortStableFunc(all, func(a, b apiextensionsv1.CustomResourceDefinition) int {
		switch {
		case hasSpec(a) == hasSpec(b):
			return 0
		case hasSpec(a):
			return -1
		}
		return 1
	})
	seen := map[string]string{}
	for _, crd := range all {
		resource(p, crd, seen)
	}
	return p, nil
}

func hasSpec(crd apiextensionsv1.CustomResourceDefinition) bool {
	_, has := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	return has
}

// resource adds a kind. seen are the titles of the sections of the kinds before it.
func resource(p *page, crd apiextensionsv1.CustomResourceDefinition, seen map[string]string) {
	names := crd.Spec.Names
	for i, version := range crd.Spec.Versions {
		schema := version.Schema.OpenAPIV3Schema
		kind := names.Kind
		if i > 0 { // what did not change has its sections above
			kind += " " + version.Name
		}
		p.heading(2, kind)
		p.paragraph(prose(schema.Description))
		if !version.Served {
			p.paragraph("For experiment files: `ringside` converts them. The API server does not serve this version. See [API versions](../concepts/model.md#api-versions).")
		}
		p.table([]string{"apiVersion", "kind", "Scope", "kubectl get"}, [][]string{{
			code(crd.Spec.Group + "/" + version.Name), code(names.Kind), string(crd.Spec.Scope),
			codes(append([]string{names.Plural}, names.ShortNames...)),
		}})
		s := sections{page: p, kind: kind, seen: seen}
		if spec, has := schema.Properties["spec"]; has {
			s.object("spec", spec)
			s.object("status", schema.Properties["status"])
			continue
		}
		s.object("fields", fieldsOf(*schema))
	}
}

// fieldsOf is the schema of what a kind without a spec has of its own.
func fieldsOf(schema apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
	own := apiextensionsv1.JSONSchemaProps{Properties: maps.Clone(schema.Properties), Required: schema.Required, XValidations: schema.XValidations}
	for _, common := range []string{"apiVersion", "kind", "metadata"} {
		delete(own.Properties, common)
	}
	return own
}

// sections of a kind's page: one for each object of its schema. Objects with the same fields share one.
type sections struct {
	page *page
	kind string
	// seen are the titles of the sections by what is in them.
	seen map[string]string
}

// object adds the section of an object, and those of the objects in it.
func (s *sections) object(path string, schema apiextensionsv1.JSONSchemaProps) {
	title := s.title(path)
	s.seen[fingerprint(schema)] = title
	s.page.heading(3, title)
	if schema.Description != "" {
		s.page.paragraph(prose(schema.Description))
	}
	if rules := ruleList(schema); rules != "" {
		s.page.paragraph("Rules: " + rules)
	}
	var rows [][]string
	type inner struct {
		path   string
		schema apiextensionsv1.JSONSchemaProps
	}
	var further []inner
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		field := schema.Properties[name]
		of, suffix := element(field)
		kind := typeOf(field)
		if len(of.Properties) > 0 {
			there, known := s.seen[fingerprint(of)]
			if !known {
				there = s.title(path + "." + name + suffix)
				s.seen[fingerprint(of)] = there
				further = append(further, inner{path + "." + name + suffix, of})
			}
			kind = fmt.Sprintf("[%s](%s)", kind, anchor(there))
		}
		rows = append(rows, []string{code(name), kind, defaultOf(field, slices.Contains(schema.Required, name)), aboutField(field)})
	}
	s.page.table([]string{"Field", "Type", "Default", "Meaning"}, rows)
	for _, next := range further {
		s.object(next.path, next.schema)
	}
}

func (s *sections) title(path string) string { return s.kind + " " + path }

// fingerprint is the same for objects with the same fields.
func fingerprint(schema apiextensionsv1.JSONSchemaProps) string {
	schema.Description, schema.Default = "", nil
	text, err := json.Marshal(schema)
	if err != nil {
		panic(err) // a schema that was decoded can be encoded
	}
	return string(text)
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
