package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/results"
)

// WriteDigests writes the SHA-256 of every file, in the format of sha256sum -c.
func (f Folder) WriteDigests() error {
	names, err := f.names()
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, name := range names {
		if name == DigestsFile {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.Path, name))
		if err != nil {
			return fmt.Errorf("digesting the run: %w", err)
		}
		out.WriteString(digestLine(name, text))
	}
	return f.Seal([]byte(out.String()))
}

// Replace replaces a file that is derived from others, such as the report, and its line in the digests. Other changes
// since the export can still be detected.
func (f Folder) Replace(name string, text []byte) error {
	path := filepath.Join(f.Path, name)
	if before, err := os.ReadFile(path); err != nil || !bytes.Equal(before, text) {
		if err := WriteFile(path, text); err != nil {
			return err
		}
	}
	digests, err := os.ReadFile(filepath.Join(f.Path, DigestsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // an unfinished export has no digests
	}
	if err != nil {
		return fmt.Errorf("reading the digests: %w", err)
	}
	var lines []string
	for line := range strings.Lines(string(digests)) {
		if !strings.HasSuffix(line, "  "+name+"\n") {
			lines = append(lines, line)
		}
	}
	lines = append(lines, digestLine(name, text))
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(nameOf(a), nameOf(b)) })
	amended := strings.Join(lines, "")
	if amended == string(digests) {
		return nil
	}
	return f.Seal([]byte(amended))
}

// Digests is the content of SHA256SUMS: the SHA-256 of every file of a run by its name.
type Digests map[string]string

// ParseDigests parses a SHA256SUMS from any source. It rejects a name that leads out of the run's folder.
func ParseDigests(text []byte) (Digests, error) {
	digests := Digests{}
	for line := range strings.Lines(string(text)) {
		sum, name, two := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if raw, err := hex.DecodeString(sum); !two || err != nil || len(raw) != sha256.Size {
			return nil, fmt.Errorf("%s is damaged: %q is not a line of sha256sum", DigestsFile, strings.TrimSpace(line))
		}
		if !filepath.IsLocal(name) || path.Clean(name) != name || name == "." || name == DigestsFile {
			return nil, fmt.Errorf("%s is damaged: %q is not a file of a run", DigestsFile, name)
		}
		digests[name] = strings.ToLower(sum)
	}
	if len(digests) == 0 {
		return nil, fmt.Errorf("%s is damaged: it is empty", DigestsFile)
	}
	return digests, nil
}

// Names returns the names of the files in order.
func (d Digests) Names() []string { return slices.Sorted(maps.Keys(d)) }

// BrokenError reports the files that do not match the digests of their folder.
type BrokenError struct {
	Where string
	Files []string
}

func (b *BrokenError) Error() string {
	const most = 3
	files, more := b.Files, ""
	if len(files) > most {
		files, more = files[:most], fmt.Sprintf(" and %d more", len(files)-most)
	}
	return fmt.Sprintf("%s does not match its %s: %s%s", b.Where, DigestsFile, strings.Join(files, results.Separator), more)
}

// Verify reads every file in the digests. It returns a BrokenError if a file has changed, and fs.ErrNotExist if there
// are no digests because the export is unfinished.
func (f Folder) Verify() (Digests, error) {
	text, err := os.ReadFile(filepath.Join(f.Path, DigestsFile))
	if err != nil {
		return nil, fmt.Errorf("reading the digests: %w", err)
	}
	digests, err := ParseDigests(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	broken := &BrokenError{Where: f.Path}
	for _, name := range digests.Names() {
		text, err := os.ReadFile(filepath.Join(f.Path, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			broken.Files = append(broken.Files, name+" is missing")
		case err != nil:
			return nil, fmt.Errorf("verifying the run: %w", err)
		case Sum(text) != digests[name]:
			broken.Files = append(broken.Files, name+" was changed")
		}
	}
	if len(broken.Files) > 0 {
		return nil, broken
	}
	return digests, nil
}

// digestLine returns a line in the format of sha256sum.
func digestLine(name string, text []byte) string { return Sum(text) + "  " + name + "\n" }

// Sum returns the SHA-256 of a file in the format of the digests.
func Sum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func nameOf(digestLine string) string {
	_, name, _ := strings.Cut(digestLine, "  ")
	return name
}
