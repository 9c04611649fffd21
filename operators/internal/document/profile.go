package document

import (
	"errors"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
)

// Profile adapts Ringside to a kind of cluster: patches, each for the experiments that it matches, and values of the
// installation.
type Profile struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	// Extends is the name of a profile whose patches come before these: a file in the same folder, or in the sources of profiles. What
	// this profile does not say is as in that one.
	Extends string `json:"extends,omitempty"`
	// Note is printed when a run begins: caveats of the figures.
	Note    string         `json:"note,omitempty"`
	Patches []ProfilePatch `json:"patches"`
	// Installation has the values with which Ringside itself is installed on such a cluster.
	Installation ProfileInstallation `json:"installation,omitzero"`
}

// ProfileInstallation are values of Ringside's own charts.
type ProfileInstallation struct {
	// Operator are values of charts/ringside, Monitoring of charts/monitoring.
	Operator   map[string]any `json:"operator,omitempty"`
	Monitoring map[string]any `json:"monitoring,omitempty"`
}

// ProfilePatch is one patch and the experiments it applies to.
type ProfilePatch struct {
	Match ProfileMatch   `json:"match,omitempty"`
	Patch map[string]any `json:"patch"`
	// Override lets the patch replace what the user's own experiment file sets.
	Override bool `json:"override,omitempty"`
}

// ProfileMatch selects experiments; an empty field matches all.
type ProfileMatch struct {
	Store      string `json:"store,omitempty"`
	Experiment string `json:"experiment,omitempty"`
}

// ProfileKind is the kind of profile files.
const ProfileKind = "Profile"

// FindProfile resolves the name of a profile, as Find does that of an experiment.
func FindProfile(name string, sources ...source.Source) (source.File, error) {
	return find("profile", name, sources)
}

// ReadProfile reads a profile: the path of a file, or the name of one in the sources.
func ReadProfile(name string, sources ...source.Source) (*Profile, error) {
	file, err := FindProfile(name, sources...)
	if err != nil {
		return nil, noProfile(err)
	}
	text, err := extendedProfile(file, sources, nil)
	if err != nil {
		return nil, err
	}
	var profile Profile
	if _, err := decode(text, &profile, "profile "+file.Path); err != nil {
		return nil, err
	}
	return &profile, nil
}

// readProfile reads the JSON of a profile's own file.
func readProfile(file source.File) ([]byte, *Profile, error) {
	texts, err := readYAML(file)
	if err != nil {
		return nil, nil, noProfile(err)
	}
	if len(texts) > 1 {
		return nil, nil, problem.New("put each in its own file", "profile %s contains %d documents, but a run accepts one", file.Path, len(texts))
	}
	where := "profile " + file.Path
	if err := checkHead(texts[0], where, ProfileKind); err != nil {
		return nil, nil, err
	}
	var profile Profile
	text, err := decode(texts[0], &profile, where)
	return text, &profile, err
}

// noProfile adds to an error that it is about --profile.
func noProfile(err error) error {
	if found := (problem.Problem{}); errors.As(err, &found) {
		found.What = "reading the profile: " + found.What
		return found
	}
	return err
}

// Apply applies the profile's matching patches to the document, in order. They replace values of the repository's own experiments; what another
// experiment file sets, or a copy of one of ours sets differently, is kept unless the patch has override: true. skipped are elements of lists, such as phases,
// that the patches name and the document does not have.
func (p *Profile) Apply(d *Document, repository ...source.Source) (skipped []string, err error) {
	name, err := d.Name()
	if err != nil {
		return nil, err
	}
	experiment, err := d.Experiment()
	if err != nil {
		return nil, err
	}
	own, err := d.own(name, repository)
	if err != nil {
		return nil, err
	}
	err = d.edit(func(tree any) (any, error) {
		lay := func(patch any) {
			var missing []string
			tree, missing = merge(tree, patch, "")
			skipped = append(skipped, missing...)
		}
		for _, override := range []bool{false, true} {
			for _, patch := range p.Patches {
				if patch.Override == override && patch.Match.matches(experiment.Spec.Store.Name(), name) {
					lay(patch.Patch)
				}
			}
			if !override {
				lay(own)
			}
		}
		return tree, nil
	})
	return skipped, err
}

// own returns what the document sets differently from the experiment of that name in the repository: all that it sets if there is none.
func (d *Document) own(name string, repository []source.Source) (own any, err error) {
	var base, tree any
	if file, found := source.Find(name+Extension, repository...); found {
		same, err := Read(file)
		if err != nil {
			return nil, err
		}
		if _, err := same[0].Experiment(); err != nil {
			return nil, err
		}
		if err := utiljson.Unmarshal(same[0].json, &base); err != nil {
			return nil, fmt.Errorf("decoding %s: %w", file.Path, err)
		}
	}
	if err := utiljson.Unmarshal(d.json, &tree); err != nil {
		return nil, fmt.Errorf("decoding %s: %w", d.Path, err)
	}
	return difference(base, tree), nil
}

func (m ProfileMatch) matches(store, experiment string) bool {
	return (m.Store == "" || m.Store == store) && (m.Experiment == "" || m.Experiment == experiment)
}
