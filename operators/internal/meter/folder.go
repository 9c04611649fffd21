package meter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// folder is the folder shared with the untrusted load tool. Links out of it, for example to meter's token, are not followed, and only
// regular files are read.
type folder struct{ root *os.Root }

func openFolder(path string) (folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return folder{}, fmt.Errorf("open the folder shared with the load tool: %w", err)
	}
	return folder{root}, nil
}

// open opens a file for reading, without blocking on a pipe.
func (f folder) open(name string) (*os.File, error) {
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// clear removes files that an earlier run of the pod's containers left.
func (f folder) clear(names ...string) error {
	for _, name := range names {
		if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// write writes a file atomically. The load tool, which may have another user, can read it.
func (f folder) write(name, text string) error {
	const unfinished = ".unfinished"
	if err := f.root.WriteFile(name+unfinished, []byte(text), 0o644); err != nil {
		return err
	}
	return f.root.Rename(name+unfinished, name)
}

func (f folder) close() { _ = f.root.Close() }
