package archive

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Identity tells one run from another, also from one of the same second on another cluster.
type Identity struct {
	Experiment, Run string
	UID             types.UID
	// Version of the Experiment in its cluster, which grows with each change: of two exports the later has the higher. 0 where it is not known.
	Version uint64
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
	if version, err := strconv.ParseUint(e.ResourceVersion, 10, 64); err == nil { // as API servers count; another form cannot be compared
		identity.Version = version
	}
	for _, name := range []string{identity.Experiment, identity.Run} {
		if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
			return Identity{}, fmt.Errorf("%s is damaged: %q is not a valid name of a run or an experiment", ExperimentFile, name)
		}
	}
	return identity, nil
}

// Identity of the folder's run.
func (f Folder) Identity() (Identity, error) {
	text, err := os.ReadFile(filepath.Join(f.Path, ExperimentFile))
	if err != nil {
		return Identity{}, fmt.Errorf("the run cannot be identified: %w", err)
	}
	return Identify(text)
}
