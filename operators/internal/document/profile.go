package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Profile fits documents to a kind of cluster: a list of JSON merge patches, each for the documents it matches.
type Profile struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	// Note is told when a run begins: what the figures are and are not.
	Note    string         `json:"note,omitempty"`
	Patches []ProfilePatch `json:"patches"`
}

// ProfilePatch is one patch and the documents it is for.
type ProfilePatch struct {
	Match ProfileMatch    `json:"match,omitempty"`
	Patch json.RawMessage `json:"patch"`
}

// ProfileMatch selects documents; an empty field matches every one.
type ProfileMatch struct {
	Store      string `json:"store,omitempty"`
	Experiment string `json:"experiment,omitempty"`
}

// ProfileKind of profile files.
const ProfileKind = "Profile"

// ReadProfile reads a profile.
func ReadProfile(path string) (*Profile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fault("name a file of kind "+ProfileKind+" with --profile, or leave it out", "reading the profile: %v", err)
	}
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, fault("mend the YAML", "profile %s: %v", path, err)
	}
	var profile Profile
	strict, err := kjson.UnmarshalStrict(asJSON, &profile)
	if err = errors.Join(append(strict, err)...); err != nil {
		return nil, fault("mend or remove it", "profile %s: %v", path, err)
	}
	if profile.Kind != ProfileKind || profile.APIVersion != v1alpha1.GroupVersion.String() {
		return nil, fault(fmt.Sprintf("it must be %s of %s", ProfileKind, v1alpha1.GroupVersion),
			"profile %s is kind %q of %q", path, profile.Kind, profile.APIVersion)
	}
	return &profile, nil
}

// Apply lays the profile's patches that match over the document, in order.
func (p *Profile) Apply(d *Document) error {
	name, err := d.Name()
	if err != nil {
		return err
	}
	experiment, err := d.Experiment()
	if err != nil {
		return err
	}
	for _, patch := range p.Patches {
		if patch.Match.matches(experiment.Spec.Store.Chart, name) {
			if err := d.Merge(patch.Patch); err != nil {
				return fmt.Errorf("profile %s: %w", p.Metadata.Name, err)
			}
		}
	}
	return nil
}

func (m ProfileMatch) matches(store, experiment string) bool {
	return (m.Store == "" || m.Store == store) && (m.Experiment == "" || m.Experiment == experiment)
}
