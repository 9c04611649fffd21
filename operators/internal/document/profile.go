package document

import (
	"encoding/json"
	"fmt"
)

// Profile adapts experiments to a kind of cluster: a list of JSON merge patches, each for the experiments it matches.
type Profile struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	// Note is printed when a run begins: caveats of the figures.
	Note    string         `json:"note,omitempty"`
	Patches []ProfilePatch `json:"patches"`
}

// ProfilePatch is one patch and the experiments it applies to.
type ProfilePatch struct {
	Match ProfileMatch    `json:"match,omitempty"`
	Patch json.RawMessage `json:"patch"`
}

// ProfileMatch selects experiments; an empty field matches all.
type ProfileMatch struct {
	Store      string `json:"store,omitempty"`
	Experiment string `json:"experiment,omitempty"`
}

// ProfileKind is the kind of profile files.
const ProfileKind = "Profile"

// ReadProfile reads a profile.
func ReadProfile(path string) (*Profile, error) {
	texts, err := readYAML(path)
	if err != nil {
		return nil, fault("use --profile with a file of kind "+ProfileKind+", or omit it", "reading the profile: %v", err)
	}
	if len(texts) > 1 {
		return nil, fault("put each in its own file", "profile %s contains %d documents, but a run accepts one", path, len(texts))
	}
	where := "profile " + path
	if err := checkHead(texts[0], where, ProfileKind); err != nil {
		return nil, err
	}
	var profile Profile
	if _, err := decode(texts[0], &profile, where); err != nil {
		return nil, err
	}
	return &profile, nil
}

// Apply applies the profile's matching patches to the document, in order.
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
