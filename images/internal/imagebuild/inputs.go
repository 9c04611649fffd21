package imagebuild

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// tagLength of a digest is enough: a registry holds some hundred images of a name, not billions.
const tagLength = 16

// tagOf is a digest of all that an image is made of: its Containerfile, what was staged for it (names, modes, bytes, links), and
// whatever else decides the result, the base image among it.
func tagOf(containerfile, context string, more ...string) (string, error) {
	sum := sha256.New()
	for _, text := range more {
		fmt.Fprintf(sum, "%q\n", text)
	}
	if err := addFile(sum, containerfile); err != nil {
		return "", err
	}
	context, err := filepath.EvalSymlinks(context) // a link is what it leads to
	if err != nil {
		return "", fmt.Errorf("digest what was staged: %w", err)
	}
	err = filepath.WalkDir(context, func(path string, entry fs.DirEntry, err error) error { // in lexical order
		if err != nil {
			return err
		}
		name, err := filepath.Rel(context, path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%q %s\n", name, info.Mode())
		switch {
		case info.Mode().IsRegular():
			return addFile(sum, path)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			fmt.Fprintf(sum, "%q\n", target)
			return err
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("digest what was staged: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil))[:tagLength], nil
}

// addFile adds the length first, so that no two lists of files read the same.
func addFile(to io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("digest an input: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("digest an input: %w", err)
	}
	fmt.Fprintf(to, "%d\n", info.Size())
	if _, err := io.Copy(to, file); err != nil {
		return fmt.Errorf("digest %s: %w", path, err)
	}
	return nil
}
