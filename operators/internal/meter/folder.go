package meter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// folder is shared with the load tool, which is not trusted: a link in it that leads out, to meter's token perhaps, is not followed,
// and what is no plain file is not read.
type folder struct{ root *os.Root }

func openFolder(path string) (folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return folder{}, fmt.Errorf("open the folder shared with the load tool: %w", err)
	}
	return folder{root}, nil
}

// open a file for reading. A pipe does not hold it up.
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

// clear what an earlier life of the pod's containers left under the names.
func (f folder) clear(names ...string) error {
	for _, name := range names {
		if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// write a file that the load tool, which may be another user, finds whole or not at all.
func (f folder) write(name, text string) error {
	const unfinished = ".unfinished"
	if err := f.root.WriteFile(name+unfinished, []byte(text), 0o644); err != nil {
		return err
	}
	return f.root.Rename(name+unfinished, name)
}

func (f folder) close() { _ = f.root.Close() }
