package images

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Store is the image store of a node.
type Store struct {
	Node    string
	Address string // containerd's socket on the host
}

// namespace is the kubelet's namespace in containerd.
const namespace = "k8s.io"

// Load imports the archive's images, unless all are present. It reports whether it imported them.
func (s Store) Load(ctx context.Context, archive string, images []Image) (bool, error) {
	present, err := s.has(ctx, images)
	if err != nil || present {
		return false, err
	}
	f, err := os.Open(archive)
	if err != nil {
		return false, fmt.Errorf("open image archive: %w", err)
	}
	defer f.Close()
	if _, err := s.ctr(ctx, f, "images", "import", "-"); err != nil {
		return false, fmt.Errorf("load %s into %s: %w", archive, s.Node, err)
	}
	return true, nil
}

func (s Store) has(ctx context.Context, images []Image) (bool, error) {
	listing, err := s.ctr(ctx, nil, "images", "ls")
	if err != nil {
		return false, fmt.Errorf("list images of %s: %w", s.Node, err)
	}
	digests := parseListing(listing)
	for _, image := range images {
		// containerd lists an image by its name and by the digest of its configuration. Both must refer to the same
		// manifest.
		byName, named := digests[image.Name]
		byConfig, configured := digests[image.Config]
		if !named || !configured || byName != byConfig {
			return false, nil
		}
	}
	return true, nil
}

// parseListing parses the table of "ctr images ls": reference, media type, manifest digest, ...
func parseListing(listing string) map[string]string {
	digests := map[string]string{}
	for _, line := range strings.Split(listing, "\n") {
		if fields := strings.Fields(line); len(fields) >= 3 && fields[0] != "REF" {
			digests[fields[0]] = fields[2]
		}
	}
	return digests
}

func (s Store) ctr(ctx context.Context, input *os.File, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "ctr", append([]string{"--address", s.Address, "--namespace", namespace}, args...)...)
	if input != nil {
		cmd.Stdin = input
	}
	var output, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("ctr %s: %w: %s", args[0], err, lastLine(complaint.String()))
	}
	return output.String(), nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// Ping reports whether the node's containerd answers.
func (s Store) Ping(ctx context.Context) error {
	_, err := s.ctr(ctx, nil, "version")
	return err
}
