package depot

import (
	"fmt"
	"path"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
)

// present is what there is at a place under a run's name.
type present struct {
	// manifest is that of the experiment, nil where there is none.
	manifest []byte
	// digests are those of a run that was archived whole, nil where none was.
	digests archive.Digests
	// listed are the digests as they stand there.
	listed []byte
	// sums are of the files that are there.
	sums map[string]string
}

// missing decides which files go to the place: those that are not there with the same bytes, the manifest first, since by it a half archive
// is known to be this run's. The error says why none may: nothing that is only there is written over.
func missing(run archive.Identity, digests archive.Digests, there present) ([]string, error) {
	if err := mayReplace(run, digests, there); err != nil {
		return nil, err
	}
	var names []string
	if there.sums[archive.ExperimentFile] != digests[archive.ExperimentFile] {
		names = append(names, archive.ExperimentFile)
	}
	for _, name := range digests.Names() {
		if name != archive.ExperimentFile && there.sums[name] != digests[name] {
			names = append(names, name)
		}
	}
	return names, nil
}

func mayReplace(run archive.Identity, digests archive.Digests, there present) error {
	if there.manifest != nil && archive.Sum(there.manifest) != digests[archive.ExperimentFile] {
		other, err := archive.Identify(there.manifest)
		if err != nil {
			return fmt.Errorf("something else is there under this name (%w): choose another place, or remove it there", err)
		}
		if other.UID != run.UID || run.UID == "" {
			return fmt.Errorf("another run is there under this name (uid %s, and this one has %s): choose another place", other.UID, run.UID)
		}
	}
	for _, name := range there.digests.Names() {
		if _, here := digests[name]; !here && strings.HasPrefix(name, archive.MeasurementsDir+"/") {
			return fmt.Errorf("more of the run is there than here (%s): archive it from where it was exported last", path.Base(name))
		}
	}
	return nil
}
