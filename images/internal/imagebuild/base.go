package imagebuild

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// bootstrap, as the base, is one made from Debian packages, where no public image can be pulled.
const bootstrap = "bootstrap"

// Bootstraps reports whether images are made without any public one, as where none can be pulled: then ours are all there are.
func (b Builder) Bootstraps() bool { return b.Base == bootstrap }

// publicJava is the line by which a Containerfile names the public image that it stands on, and with it the Java that it needs.
var publicJava = regexp.MustCompile(`(?m)^ARG BASE=\S+:([0-9]+)-jre$`)

// javaOf is the version of the Java that a Containerfile's image stands on; empty when it stands on none.
func javaOf(containerfile []byte) string {
	if match := publicJava.FindSubmatch(containerfile); match != nil {
		return string(match[1])
	}
	return ""
}

// withoutPublic names, in the error of a build on a public image, the way that needs none: the tools say only that they could not pull it.
func (b Builder) withoutPublic(err error, containerfile string) error {
	content, unread := os.ReadFile(containerfile)
	if b.Base != "" || unread != nil || javaOf(content) == "" {
		return err
	}
	return fmt.Errorf("%w; it stands on a public image: where that cannot be pulled, BASE=%s makes it of Debian packages", err, bootstrap)
}

// base returns the reference of the image that a Java image stands on, made first where it is our own. An image without a Java has no base.
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
