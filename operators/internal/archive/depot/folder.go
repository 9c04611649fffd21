package depot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"ringside.dev/ringside/operators/internal/archive"
)

// volume is a place in a folder.
type volume string

// openVolume opens an existing folder. A missing folder may be a volume that is not mounted, which would later hide
// files that were written in its place.
func openVolume(folder string) (volume, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", unavailable("there is no folder "+folder, "mount the volume, or create the folder")
	}
	return volume(folder), nil
}

func (v volume) path(name string) string { return filepath.Join(string(v), filepath.FromSlash(name)) }

func (v volume) put(ctx context.Context, name string, text []byte, _ string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if path.Base(name) == archive.DigestsFile { // the files that the digests list must be on the disk first
		return archive.Folder{Path: v.path(path.Dir(name))}.Seal(text)
	}
	return archive.WriteFile(v.path(name), text)
}

func (v volume) move(ctx context.Context, from, to string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(v.path(to)), 0o755); err != nil {
		return fmt.Errorf("creating the folder of the file: %w", err)
	}
	if err := os.Rename(v.path(from), v.path(to)); err != nil {
		return fmt.Errorf("moving the file: %w", err)
	}
	_ = os.Remove(filepath.Dir(v.path(from))) // fails until the folder is empty
	return nil
}

func (v volume) get(ctx context.Context, name string, most int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := os.Open(v.path(name))
	if err != nil {
		return nil, fmt.Errorf("opening the file: %w", err)
	}
	defer file.Close()
	return readAtMost(file, most)
}

func readAtMost(from io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, errTooLarge
	}
	return text, err
}

func (v volume) has(_ context.Context, name string) (bool, error) {
	_, err := os.Stat(v.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (v volume) sums(ctx context.Context, folder string) (map[string]string, error) {
	sums := map[string]string{}
	err := fs.WalkDir(os.DirFS(v.path(folder)), ".", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "." {
			return fs.SkipAll // the run has no files yet
		}
		if err != nil || !entry.Type().IsRegular() {
			return errors.Join(err, ctx.Err())
		}
		text, err := os.ReadFile(filepath.Join(v.path(folder), name))
		sums[name] = archive.Sum(text)
		return errors.Join(err, ctx.Err())
	})
	if err != nil {
		return nil, fmt.Errorf("reading the archive: %w", err)
	}
	return sums, nil
}

func (v volume) folders(_ context.Context, folder string) ([]string, error) {
	entries, err := os.ReadDir(v.path(folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing %s: %w", v.path(folder), err)
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}
