// Package document reads experiment files: it applies profiles and the user's choices to them and checks the result before anything is
// started. It reads files, but uses no cluster.
package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
)

// Kind of the documents.
const Kind = "Experiment"

// Extension of the documents' files.
const Extension = ".yaml"

// AnnotationNotForMeasurement marks an experiment that only tests that the parts work together; its figures have no meaning.
const AnnotationNotForMeasurement = "ringside.dev/not-for-measurement"

// maxNameLength leaves room for the run, the server, the phase and the attempt in names of 63 characters.
const maxNameLength = 30

// Document is an experiment as written, as generic JSON, so that patches can be applied until it is sent and the API server's defaults and
// rules apply to what the user wrote.
type Document struct {
	// Path it was read from.
	Path    string
	builtIn bool
	json    []byte
}

// Find resolves the name of an experiment: the path of a file, or the name of one in the sources. A built-in file has its name without
// the extension only, so that a path never names one.
func Find(name string, sources ...source.Source) (source.File, error) {
	return find("experiment", name, sources)
}

func find(kind, name string, sources []source.Source) (source.File, error) {
	known := "choose from " + listNames(kind, sources)
	if name == "" {
		return source.File{}, problem.New(known, "no %s given", kind).Because(problem.InvalidUsage)
	}
	info, err := os.Stat(name)
	if err == nil && info.Mode().IsRegular() {
		return source.OnDisk(name), nil
	}
	for _, from := range sources {
		if file, found := source.Find(name, from); found && !file.BuiltIn {
			return file, nil
		}
		if file, found := source.Find(name+Extension, from); found {
			return file, nil
		}
	}
	switch isPath := strings.ContainsRune(name, filepath.Separator) || filepath.Ext(name) == Extension; {
	case err == nil && info.IsDir():
		return source.File{}, problem.New("choose a file in it: "+listNames(kind, []source.Source{source.Dir(name)}), "%s is a folder", name)
	case isPath:
		return source.File{}, problem.New("check the path, or "+known, "there is no file %s", name)
	}
	return source.File{}, problem.New(known, "unknown %s %q", kind, name)
}

func listNames(kind string, sources []source.Source) string {
	names := source.Names(Extension, sources...)
	if len(names) > 0 {
		return strings.Join(names, ", ")
	}
	var folders []string
	for _, from := range sources {
		folders = append(folders, from.Where())
	}
	return fmt.Sprintf("the %s files of another folder (%s has none)", kind, strings.Join(folders, " and "))
}

// Read reads the documents of a file, and checks that each is an Experiment of a supported version.
func Read(file source.File) ([]*Document, error) {
	texts, err := readYAML(file)
	if err != nil {
		return nil, err
	}
	documents := make([]*Document, len(texts))
	for i, text := range texts {
		where := place(file.Path, i, len(texts) > 1)
		if err := checkHead(text, where, Kind); err != nil {
			return nil, err
		}
		documents[i] = &Document{Path: where, builtIn: file.BuiltIn, json: text}
	}
	return documents, nil
}

// checkHead checks kind and apiVersion.
func checkHead(text []byte, where, kind string) error {
	var head map[string]any
	if json.Unmarshal(text, &head) != nil {
		return problem.New("it must be a table with kind: "+kind, "%s is not a table", where)
	}
	if head["kind"] != kind {
		return problem.New("it must have kind: "+kind, "%s has kind %s", where, written(head["kind"]))
	}
	if supported := v1beta1.GroupVersion.String(); head["apiVersion"] != supported {
		return problem.New("this version of ringside supports apiVersion: "+supported, "%s has apiVersion %s", where, written(head["apiVersion"]))
	}
	return nil
}

// JSON returns the document after its patches.
func (d *Document) JSON() []byte { return bytes.Clone(d.json) }

// Merge lays the fields of a patch over those of the document.
func (d *Document) Merge(patch map[string]any) error {
	return d.edit(func(tree any) (any, error) {
		merged, _ := merge(tree, patch, "")
		return merged, nil
	})
}

// edit replaces the document by what change makes of it.
func (d *Document) edit(change func(tree any) (any, error)) error {
	var tree any
	if err := utiljson.Unmarshal(d.json, &tree); err != nil {
		return fmt.Errorf("decoding %s: %w", d.Path, err)
	}
	changed, err := change(tree)
	if err != nil {
		return err
	}
	text, err := json.Marshal(changed)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", d.Path, err)
	}
	d.json = text
	return nil
}

// Experiment decodes the document. An unknown field, or a value of the wrong type, is an error.
func (d *Document) Experiment() (*v1beta1.Experiment, error) {
	var experiment v1beta1.Experiment
	fitted, err := decode(d.json, &experiment, d.Path)
	if err != nil {
		return nil, err
	}
	d.json = fitted
	return &experiment, nil
}

// decode fits JSON to a type and decodes it; it returns the fitted JSON.
func decode(text []byte, into any, where string) ([]byte, error) {
	var tree any
	if err := utiljson.Unmarshal(text, &tree); err != nil {
		return nil, fmt.Errorf("decoding %s: %w", where, err)
	}
	fitted, problems := fit(tree, reflect.TypeOf(into), "")
	if len(problems) > 0 {
		for i := range problems {
			problems[i].What = where + ": " + problems[i].What
		}
		return nil, problem.Join(problem.Because(v1beta1.RefusedInvalidField, problems))
	}
	text, err := json.Marshal(fitted)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", where, err)
	}
	if err := utiljson.Unmarshal(text, into); err != nil {
		return nil, fmt.Errorf("decoding %s: %w", where, err)
	}
	return text, nil
}

var namePattern = regexp.MustCompile(`^[a-z]([a-z0-9-]*[a-z0-9])?$`)

// Name returns the experiment's name: metadata.name, which a run's name is derived from.
func (d *Document) Name() (string, error) {
	var meta struct {
		Metadata struct {
			Name any `json:"name"`
		} `json:"metadata"`
	}
	if json.Unmarshal(d.json, &meta) != nil {
		return "", problem.New(wantTable, "%s: metadata is not a table", d.Path)
	}
	name, is := meta.Metadata.Name.(string)
	if !is {
		return "", problem.New("set a name, in quotes if YAML would read it as another type", "%s: metadata.name is %s", d.Path, written(meta.Metadata.Name))
	}
	if !namePattern.MatchString(name) || len(name) > maxNameLength {
		return "", problem.New(fmt.Sprintf("use lowercase letters, digits and -, at most %d characters", maxNameLength),
			"%s: metadata.name %q is not a valid name", d.Path, name)
	}
	return name, nil
}

// SelectServers keeps the named servers in the given order. A name that the document does not have is one of the
// store's server types. known are the server types of the store's chart; nil if the chart was not found.
func (d *Document) SelectServers(names, known []string) error {
	experiment, err := d.Experiment()
	if err != nil {
		return err
	}
	valid := make([]string, 0, len(experiment.Spec.Servers)+len(known))
	byName := map[string]v1beta1.ServerSpec{}
	for _, server := range experiment.Spec.Servers {
		byName[server.Name] = server
		valid = append(valid, server.Name)
	}
	for _, serverType := range known {
		if _, there := byName[serverType]; !there {
			byName[serverType] = v1beta1.ServerSpec{Name: serverType}
			valid = append(valid, serverType)
		}
	}
	var chosen []v1beta1.ServerSpec
	baselineChosen := false
	for i, name := range names {
		server, there := byName[name]
		if !there {
			return problem.New("choose from "+strings.Join(valid, ", "), "unknown server %q", name).Because(v1beta1.RefusedUnknownServer)
		}
		if slices.Contains(names[:i], name) {
			return problem.New("name each server once (an A/A arm needs its own entry in the experiment file)", "server %q is named twice", name)
		}
		baselineChosen = baselineChosen || name == experiment.Spec.Baseline
		chosen = append(chosen, server)
	}
	return d.edit(func(tree any) (any, error) {
		spec := tree.(map[string]any)["spec"].(map[string]any) // it was decoded
		spec["servers"] = chosen
		if !baselineChosen {
			delete(spec, "baseline") // the first server then
		}
		return tree, nil
	})
}
