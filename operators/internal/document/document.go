// Package document reads the documents of experiments/: it lays profiles and a person's choices over them and finds what
// is wrong with the outcome before anything is started. It reads files and decides; it talks to no cluster.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Kind of the documents.
const Kind = "Experiment"

// Extension of the documents' files.
const Extension = ".yaml"

// AnnotationNotForMeasurement marks an experiment that shows that the parts work together, with figures that mean nothing.
const AnnotationNotForMeasurement = "ringside.dev/not-for-measurement"

// maxNameLength leaves room for the run, the server, the phase and the attempt in names of 63 characters.
const maxNameLength = 30

// Document is an experiment as written, as generic JSON: patches keep working on it until it is sent,
// so that the API server's defaults and rules apply to what people wrote.
type Document struct {
	// Path it was read from.
	Path string
	json []byte
}

// Find resolves what a person called the experiment: a file, or the name of one in dir.
func Find(name, dir string) (string, error) {
	if name == "" {
		return "", fault("name one of "+listNames(dir), "no experiment was named")
	}
	candidates := []string{name}
	if !strings.ContainsRune(name, filepath.Separator) {
		candidates = append(candidates, filepath.Join(dir, name), filepath.Join(dir, name+Extension))
	}
	for _, path := range candidates {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	if strings.ContainsRune(name, filepath.Separator) {
		dir = filepath.Dir(name)
	}
	return "", fault("choose from "+listNames(dir), "unknown experiment %q", strings.TrimSuffix(filepath.Base(name), Extension))
}

func listNames(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*"+Extension))
	if err != nil || len(files) == 0 {
		return fmt.Sprintf("the documents of a folder that has some (%s has none; see --experiments)", dir)
	}
	names := make([]string, 0, len(files))
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), Extension))
	}
	return strings.Join(names, ", ")
}

// Read reads a document and checks that it is an Experiment of a version that is known here.
func Read(path string) (*Document, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault("see experiments/", "there is no file %s", path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the experiment: %w", err)
	}
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, fault("mend the YAML", "%s: %v", path, err)
	}
	var head metav1.TypeMeta
	if err := json.Unmarshal(asJSON, &head); err != nil {
		return nil, fault("it must be an object of kind "+Kind, "%s: %v", path, err)
	}
	if head.Kind != Kind {
		return nil, fault("it must say kind: "+Kind, "%s has kind %q", path, head.Kind)
	}
	if want := v1alpha1.GroupVersion.String(); head.APIVersion != want {
		return nil, fault("this ringside reads apiVersion: "+want, "%s has apiVersion %q", path, head.APIVersion)
	}
	return &Document{Path: path, json: asJSON}, nil
}

// JSON is the document as it stands after its patches.
func (d *Document) JSON() []byte { return bytes.Clone(d.json) }

// Merge lays a JSON merge patch (RFC 7396) over the document.
func (d *Document) Merge(patch []byte) error {
	merged, err := jsonpatch.MergePatch(d.json, patch)
	if err != nil {
		return fmt.Errorf("laying a patch over %s: %w", d.Path, err)
	}
	d.json = merged
	return nil
}

// Experiment decodes the document; a field that does not exist is an error, never ignored.
func (d *Document) Experiment() (*v1alpha1.Experiment, error) {
	var experiment v1alpha1.Experiment
	strict, err := kjson.UnmarshalStrict(d.json, &experiment)
	if err == nil && len(strict) > 0 {
		err = errors.Join(strict...)
	}
	if err != nil {
		return nil, fault("mend or remove it; the documents in experiments/ show the fields", "%s: %v", d.Path, err)
	}
	return &experiment, nil
}

var namePattern = regexp.MustCompile(`^[a-z]([a-z0-9-]*[a-z0-9])?$`)

// Name of the experiment: metadata.name, from which a run's name is made.
func (d *Document) Name() (string, error) {
	var meta struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(d.json, &meta); err != nil {
		return "", fault("metadata.name is text", "%s: %v", d.Path, err)
	}
	name := meta.Metadata.Name
	if !namePattern.MatchString(name) || len(name) > maxNameLength {
		return "", fault(fmt.Sprintf("use lower-case letters, digits and -, at most %d characters", maxNameLength),
			"%s: metadata.name %q does not make a name", d.Path, name)
	}
	return name, nil
}

// SelectServers keeps the named servers in the given order. A name that the document lacks is taken as one of the
// store's server types. known are the types the store's chart knows; nil when the chart was not found.
func (d *Document) SelectServers(names, known []string) error {
	experiment, err := d.Experiment()
	if err != nil {
		return err
	}
	valid := make([]string, 0, len(experiment.Spec.Servers)+len(known))
	byName := map[string]v1alpha1.ServerSpec{}
	for _, server := range experiment.Spec.Servers {
		byName[server.Name] = server
		valid = append(valid, server.Name)
	}
	for _, serverType := range known {
		if _, there := byName[serverType]; !there {
			byName[serverType] = v1alpha1.ServerSpec{Name: serverType}
			valid = append(valid, serverType)
		}
	}
	var chosen []v1alpha1.ServerSpec
	baselineChosen := false
	for i, name := range names {
		server, there := byName[name]
		if !there {
			return fault("choose from "+strings.Join(valid, ", "), "unknown server %q", name)
		}
		if slices.Contains(names[:i], name) {
			return fault("name each server once (an A/A arm is an entry of its own in the document)", "server %q is named twice", name)
		}
		baselineChosen = baselineChosen || name == experiment.Spec.Baseline
		chosen = append(chosen, server)
	}
	spec := map[string]any{"servers": chosen}
	if !baselineChosen {
		spec["baseline"] = nil // the first server then
	}
	patch, err := json.Marshal(map[string]any{"spec": spec})
	if err != nil {
		return fmt.Errorf("encoding the choice of servers: %w", err)
	}
	return d.Merge(patch)
}
