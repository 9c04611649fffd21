package imagebuild

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// bootstrap is the value of Base for a base image made from Debian packages, for hosts that cannot pull public images.
const bootstrap = "bootstrap"

// Bootstraps reports whether images are built without public ones.
func (b Builder) Bootstraps() bool { return b.Base == bootstrap }

// publicJava matches the line of a Containerfile that names its public base image, and with it the Java version.
var publicJava = regexp.MustCompile(`(?m)^ARG BASE=\S+:([0-9]+)-jre$`)

// javaOf returns the Java version of a Containerfile's base image; empty if it has none.
func javaOf(containerfile []byte) string {
	if match := publicJava.FindSubmatch(containerfile); match != nil {
		return string(match[1])
	}
	return ""
}

// withoutPublic adds to the error of a build on a public image the option that needs none: the tools report only that
// the pull failed.
func (b Builder) withoutPublic(err error, containerfile string) error {
	content, unread := os.ReadFile(containerfile)
	if b.Base != "" || unread != nil || javaOf(content) == "" {
		return err
	}
	return fmt.Errorf("%w; it stands on a public image: where that cannot be pulled, BASE=%s makes it of Debian packages", err, bootstrap)
}

// base returns the reference of a Java image's base, and builds it first if it is our own. An image without Java has no
// base.
func (b Builder) base(ctx context.Context, tool engine, containerfile string) (string, error) {
	if !b.Bootstraps() {
		return b.Base, nil
	}
	content, err := os.ReadFile(containerfile)
	if err != nil {
		return "", fmt.Errorf("look for the base image: %w", err)
	}
	java := javaOf(content)
	if java == "" {
		return "", nil
	}
	script := filepath.Join(b.Source, "base.sh")
	tag, err := tagOf(script, filepath.Join(b.Source, "debian"), "java "+java)
	if err != nil {
		return "", err
	}
	reference := LocalRegistry + "/ringside-base:" + tag
	if tool.imageID(ctx, reference) != "" {
		return reference, nil
	}
	folder := filepath.Join(b.Out, "base")
	if err := run(ctx, b.Log, script, folder, java); err != nil {
		return "", fmt.Errorf("base image with a Java %s: %w", java, err)
	}
	if err := tool.buildImage(ctx, reference, filepath.Join(folder, "Containerfile"), folder, ""); err != nil {
		return "", fmt.Errorf("base image with a Java %s: %w", java, err)
	}
	if err := os.RemoveAll(folder); err != nil {
		return "", fmt.Errorf("base image: remove what was staged: %w", err)
	}
	b.Say("base image with a Java %s built from Debian packages", java)
	return reference, nil
}
