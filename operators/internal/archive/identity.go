package archive

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Identity tells one run from another, also from one of the same second on another cluster.
type Identity struct {
	Experiment, Run string
	UID             types.UID
}

// Folder of the run below a folder of results, with slashes.
func (i Identity) Folder() string { return path.Join(i.Experiment, i.Run) }

// Identify reads a run's identity from its Experiment's manifest, which may be from anywhere: a name that is no folder's is refused.
func Identify(manifest []byte) (Identity, error) {
	var e v1alpha1.Experiment
	if err := decodeManifest(ExperimentFile, manifest, "Experiment", &e); err != nil {
		return Identity{}, err
	}
	identity := Identity{Experiment: e.DocumentName(), Run: e.RunID(), UID: e.UID}
	for _, name := range []string{identity.Experiment, identity.Run} {
		if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
			return Identity{}, fmt.Errorf("%s is damaged: %q is no name of a run or an experiment", ExperimentFile, name)
		}
	}
	return identity, nil
}

// Identity of the folder's run.
func (f Folder) Identity() (Identity, error) {
	text, err := os.ReadFile(filepath.Join(f.Path, ExperimentFile))
	if err != nil {
		return Identity{}, fmt.Errorf("which run this is, is not known: %w", err)
	}
	return Identify(text)
}
