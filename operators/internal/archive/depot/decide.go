package depot

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
)

// present is what the place already has in a run's folder.
type present struct {
	// manifest is that of the experiment; nil if there is none.
	manifest []byte
	// digests are those of a complete archive; nil if there is none.
	digests archive.Digests
	// listed is the text of the digests at the place.
	listed []byte
	// sums has the SHA-256 of each file at the place.
	sums map[string]string
}

// stagedDir is the folder, within a run's folder, of the files of a newer export, named by their digests. The earlier
// archive stays complete until the new digests, which are written last, replace its own.
const stagedDir = ".new"

func staged(sum string) string { return path.Join(stagedDir, sum) }

// sendings lists the transfers to the place, in this order.
type sendings struct {
	// direct files are written under their names.
	direct []string
	// aside files are staged, because the existing archive has other content under their names.
	aside []string
	// settle files are moved from the staging folder to their names after the digests are written.
	settle []string
}

// missing decides which files to transfer: those that the place does not have with the same content. The manifest is
// first, because it identifies a partial archive as this run's. The error explains why nothing may be transferred: data
// that exists only at the place is never overwritten.
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
