package depot

import (
	"fmt"
	"path"
	"slices"
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

// stagedDir within a run's folder holds files, named by their digests, of an export that takes the place of an earlier one: the earlier one
// stays whole until the digests, which come after them, are of the later one.
const stagedDir = ".new"

func staged(sum string) string { return path.Join(stagedDir, sum) }

// sendings are what is to be done at the place, in this order.
type sendings struct {
	// direct go to their names.
	direct []string
	// aside are staged: the archive that is there has other bytes under their names.
	aside []string
	// settle are moved to their names once the digests are there.
	settle []string
}

// missing decides which files go to the place: those that are not there with the same bytes, the manifest first, since by it a half archive
// is known to be this run's. The error says why none may: nothing that is only there is written over.
func missing(run archive.Identity, digests archive.Digests, there present) (sendings, error) {
	var s sendings
	if err := mayReplace(run, digests, there); err != nil {
		return s, err
	}
	names := digests.Names()
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	for _, name := range names {
		want, old := digests[name], there.digests[name]
		_, kept := there.sums[staged(want)]
		switch {
		case there.sums[name] == want && want != "":
		case kept && there.sums[staged(want)] == want:
			s.settle = append(s.settle, name)
		case old != "" && there.sums[name] == old:
			s.aside, s.settle = append(s.aside, name), append(s.settle, name)
		default:
			s.direct = append(s.direct, name)
		}
	}
	return s, nil
}

func rank(name string) int {
	if name == archive.ExperimentFile {
		return 0
	}
	return 1
}

func mayReplace(run archive.Identity, digests archive.Digests, there present) error {
	if there.manifest != nil && archive.Sum(there.manifest) != digests[archive.ExperimentFile] {
		other, err := archive.Identify(there.manifest)
		if err != nil {
			return fmt.Errorf("the place has something else under this name (%w): choose another place, or remove it there", err)
		}
		if other.UID != run.UID || run.UID == "" {
			return fmt.Errorf("the place has another run under this name (uid %s, this run has %s): choose another place", other.UID, run.UID)
		}
		if there.digests != nil && other.Version > run.Version && run.Version != 0 {
			return fmt.Errorf("the place has a later export of the run (resource version %d, this one has %d): export it again with ringside export, or archive the later export", other.Version, run.Version)
		}
	}
	for _, name := range there.digests.Names() {
		if _, here := digests[name]; !here && strings.HasPrefix(name, archive.MeasurementsDir+"/") {
			return fmt.Errorf("the place has more of the run than this export (%s): archive the later export", path.Base(name))
		}
	}
	return nil
}
