// Package source names the places of Ringside's own files: a folder of the user, and the files that are built into the program.
package source

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Source is a folder, or files that are built into the program.
type Source struct {
	// Folder is the path of the folder; empty for files that are built in.
	Folder string
	fs.FS
}

// Dir returns a folder as a source.
func Dir(folder string) Source { return Source{Folder: folder, FS: os.DirFS(folder)} }

// BuiltIn returns the files that are built into the program as a source.
func BuiltIn(files fs.FS) Source { return Source{FS: files} }

// Under returns the source's folder of that name. Its files may not exist.
func (s Source) Under(name string) Source {
	if s.Folder != "" {
		return Dir(filepath.Join(s.Folder, name))
	}
	files, err := fs.Sub(s.FS, name)
	if err != nil { // the name is not a path
		return Source{FS: none{}}
	}
	return BuiltIn(files)
}

// none has no files.
type none struct{}

func (none) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Where names the source for messages.
func (s Source) Where() string {
	if s.Folder == "" {
		return "built in"
	}
	return s.Folder
}

// File returns a file of the source; false if it is none, or not a regular file.
func (s Source) File(name string) (File, bool) {
	info, err := fs.Stat(s, name)
	if err != nil || !info.Mode().IsRegular() {
		return File{}, false
	}
	if s.Folder == "" {
		return File{Path: path.Base(name) + " (built in)", BuiltIn: true, from: s, name: name}, true
	}
	return OnDisk(filepath.Join(s.Folder, name)), true
}

// File is one file.
type File struct {
	// Path of the file, as messages name it.
	Path string
	// BuiltIn reports whether the file is part of the program.
	BuiltIn bool
	from    fs.FS
	name    string
}

// OnDisk returns a file of the disk, which may not exist.
func OnDisk(path string) File { return File{Path: path} }

// Read returns the content of the file.
func (f File) Read() ([]byte, error) {
	if f.from == nil {
		return os.ReadFile(f.Path)
	}
	return fs.ReadFile(f.from, f.name)
}

// Find returns the file of that name in the first source that has one.
func Find(name string, sources ...Source) (File, bool) {
	if !fs.ValidPath(name) {
		return File{}, false
	}
	for _, s := range sources {
		if file, found := s.File(name); found {
			return file, true
		}
	}
	return File{}, false
}

// Names returns the sorted names of the files with that extension, without it, in all sources.
func Names(extension string, sources ...Source) []string {
	var names []string
	for _, s := range sources {
		files, _ := fs.Glob(s, "*"+extension) // the pattern is valid, and other errors are those of a folder that does not exist
		for _, file := range files {
			if _, regular := s.File(file); regular {
				names = append(names, strings.TrimSuffix(file, extension))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
