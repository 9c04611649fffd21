package imagebuild

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// engine is a container build tool.
type engine struct {
	name  string
	run   []string // its command line
	build []string // its build command; no image has a RUN step, so a build needs no container
	// idFormat prints the digest of an image's configuration.
	idFormat string
	log      io.Writer
}

// engines lists the supported tools in the order of preference.
var engines = []string{"buildah", "podman", "docker"}

// findEngine returns the requested tool, or the first that is installed. Buildah uses its own storage in the folder.
func findEngine(asked, folder string, log io.Writer) (engine, error) {
	name := asked
	for _, candidate := range engines {
		if _, err := exec.LookPath(candidate); name == "" && err == nil {
			name = candidate
		}
	}
	switch name {
	case "buildah":
		return engine{name, []string{"buildah", "--root", filepath.Join(folder, "storage"), "--runroot", filepath.Join(folder, "run")},
			[]string{"bud", "--isolation", "chroot", "--layers=false", "--timestamp", "0"}, "{{.FromImageID}}", log}, nil
	case "podman":
		return engine{name, []string{"podman"}, []string{"build", "--timestamp", "0"}, "{{.Id}}", log}, nil
	case "docker":
		return engine{name, []string{"docker"}, []string{"build"}, "{{.Id}}", log}, nil
	case "":
		return engine{}, errors.New("no container build tool: install buildah (apt-get install buildah), or set ENGINE=buildah, podman or docker")
	}
	return engine{}, fmt.Errorf("ENGINE=%s is none of %s", name, strings.Join(engines, ", "))
}

func (e engine) call(ctx context.Context, args ...string) error {
	return run(ctx, e.log, e.run[0], append(e.run[1:len(e.run):len(e.run)], args...)...)
}

func (e engine) buildImage(ctx context.Context, reference, containerfile, folder, base string) error {
	args := append(e.build[:len(e.build):len(e.build)], "-f", containerfile, "-t", reference)
	if base != "" {
		args = append(args, "--build-arg", "BASE="+base)
	}
	return e.call(ctx, append(args, folder)...)
}

// imageID returns the id of an image; empty if the tool does not have it.
func (e engine) imageID(ctx context.Context, reference string) string {
	args := append(e.run[1:len(e.run):len(e.run)], "inspect", "--type", "image", "--format", e.idFormat, reference)
	output, err := exec.CommandContext(ctx, e.run[0], args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(output))
}

func (e engine) save(ctx context.Context, reference, archive string) error {
	if err := os.RemoveAll(archive); err != nil { // the tools do not overwrite an existing archive
		return fmt.Errorf("remove old archive: %w", err)
	}
	if e.name == "docker" {
		return e.call(ctx, "save", "-o", archive, reference)
	}
	return e.call(ctx, "push", "-q", reference, "docker-archive:"+archive+":"+reference)
}

// push pushes an image and returns the digest of its manifest in the registry.
func (e engine) push(ctx context.Context, reference string) (digest string, err error) {
	if e.name == "docker" {
		if err := e.call(ctx, "push", reference); err != nil {
			return "", err
		}
		output, err := exec.CommandContext(ctx, "docker", "inspect", "--type", "image", "--format", "{{join .RepoDigests \"\\n\"}}", reference).Output()
		if err != nil {
			return "", fmt.Errorf("ask for the digest of %s: %w", reference, err)
		}
		return digestOf(reference, string(output))
	}
	file, err := os.CreateTemp("", "digest")
	if err != nil {
		return "", fmt.Errorf("push %s: %w", reference, err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := e.call(ctx, pushArgs(reference, file.Name())...); err != nil {
		return "", err
	}
	content, err := os.ReadFile(file.Name())
	if err != nil {
		return "", fmt.Errorf("read the digest of %s: %w", reference, err)
	}
	return strings.TrimSpace(string(content)), nil
}

// pushArgs returns the arguments for buildah and podman. TLS is optional for a registry on this machine, as with
// docker, because it rarely has a certificate.
func pushArgs(reference, digestFile string) []string {
	args := []string{"push", "--digestfile", digestFile}
	if onThisMachine(reference) {
		args = append(args, "--tls-verify=false")
	}
	return append(args, reference)
}

// onThisMachine reports whether the registry of a reference is on this machine.
func onThisMachine(reference string) bool {
	registry, _, _ := strings.Cut(reference, "/")
	host := (&url.URL{Host: registry}).Hostname()
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// digestOf returns the digest of the reference's repository from lines of the form repository@digest.
func digestOf(reference, lines string) (string, error) {
	repository := reference[:strings.LastIndexByte(reference, ':')]
	for _, line := range strings.Split(lines, "\n") {
		if name, digest, found := strings.Cut(strings.TrimSpace(line), "@"); found && name == repository {
			return digest, nil
		}
	}
	return "", fmt.Errorf("the registry told no digest of %s", reference)
}

// run runs a program and writes its output to the log.
func run(ctx context.Context, log io.Writer, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=0")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
	}
	return nil
}
