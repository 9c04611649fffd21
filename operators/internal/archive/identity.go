package archive

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Identity distinguishes a run from all others, even from one that began in the same second on another cluster.
type Identity struct {
	Experiment, Run string
	UID             types.UID
	// Version is the resource version of the Experiment. It grows with each change, so the later of two exports has the
	// higher one. It is 0 if unknown.
	Version uint64
}

// Folder returns the folder of the run relative to a results folder, with slashes.
func (i Identity) Folder() string { return path.Join(i.Experiment, i.Run) }

// Identify reads a run's identity from its Experiment's manifest of any source. It rejects a name that is not a valid
// folder name.
func Identify(manifest []byte) (Identity, error) {
	var e v1beta1.Experiment
	if err := decodeManifest(ExperimentFile, manifest, "Experiment", &e); err != nil {
		return Identity{}, err
	}
	identity := Identity{Experiment: e.DocumentName(), Run: e.RunID(), UID: e.UID}
	if version, err := strconv.ParseUint(e.ResourceVersion, 10, 64); err == nil { // the format of API servers; other formats cannot be compared
		identity.Version = version
	}
	for _, name := range []string{identity.Experiment, identity.Run} {
		if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
			return Identity{}, fmt.Errorf("%s is damaged: %q is not a valid name of a run or an experiment", ExperimentFile, name)
		}
	}
	return identity, nil
}

// Identity returns the identity of the folder's run.
func (f Folder) Identity() (Identity, error) {
	text, err := os.ReadFile(filepath.Join(f.Path, ExperimentFile))
	if err != nil {
		return Identity{}, fmt.Errorf("the run cannot be identified: %w", err)
	}
	return Identify(text)
}
