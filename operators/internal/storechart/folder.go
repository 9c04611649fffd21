package storechart

import (
	"bytes"
	"fmt"
	"io/fs"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"
)

// ReadFolder reads the chart in a folder as Helm does: with the files behind links, and without those that .helmignore lists.
func ReadFolder(folder fs.FS) (*chartv2.Chart, error) {
	ignored, err := ignoredBy(folder)
	if err != nil {
		return nil, err
	}
	var files []*archive.BufferedFile
	var read fs.WalkDirFunc
	read = func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := fs.Stat(folder, name) // of a link, what it points to
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		switch skip := ignored.Ignore(name, info); {
		case skip && entry.IsDir():
			return fs.SkipDir
		case skip || entry.IsDir():
			return nil
		case info.IsDir():
			return fs.WalkDir(folder, name, read)
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		files = append(files, &archive.BufferedFile{Name: name, ModTime: info.ModTime(), Data: text})
		return nil
	}
	if err := fs.WalkDir(folder, ".", read); err != nil {
		return nil, err
	}
	return loader.LoadFiles(files)
}

func ignoredBy(folder fs.FS) (*ignore.Rules, error) {
	text, err := fs.ReadFile(folder, ignore.HelmIgnore)
	if err != nil { // it is optional
		text = nil
	}
	rules, err := ignore.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ignore.HelmIgnore, err)
	}
	rules.AddDefaults()
	return rules, nil
}
