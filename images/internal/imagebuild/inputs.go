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

// tagLength is the length of a digest in a tag. It is sufficient for the few hundred images of a name in a registry.
const tagLength = 16

// tagOf returns a digest of all inputs of an image: its Containerfile, the staged files (names, modes, content, links),
// and other inputs such as the base image.
func tagOf(containerfile, context string, more ...string) (string, error) {
	sum := sha256.New()
	for _, text := range more {
		fmt.Fprintf(sum, "%q\n", text)
	}
	if err := addFile(sum, containerfile); err != nil {
		return "", err
	}
	context, err := filepath.EvalSymlinks(context) // the context may be a link
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

// addFile adds a file with its length first, so that different lists of files have different digests.
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
