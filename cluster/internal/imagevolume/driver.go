package imagevolume

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	// Driver is the name of the driver in a PersistentVolume.
	Driver = "ringside.dev/image"
	// Command is the hidden command that runs the driver.
	Command = "image-volume"
)

// Install installs the driver in a kubelet's directory of volume plugins: a script whose path the kubelet knows, and
// which calls this program.
func Install(plugins, program, volumes string) error {
	vendor, name, _ := strings.Cut(Driver, "/")
	dir := filepath.Join(plugins, vendor+"~"+name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make directory of volume driver: %w", err)
	}
	script := fmt.Sprintf("#!/bin/sh\nexec %s %s --volumes=%s -- \"$@\"\n", program, Command, volumes)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
		return fmt.Errorf("install volume driver: %w", err)
	}
	return nil
}

// Reply is the response to the kubelet.
type Reply struct {
	Status       string        `json:"status"`
	Message      string        `json:"message,omitempty"`
	Capabilities *Capabilities `json:"capabilities,omitempty"`
}

// Capabilities are those of the driver: volumes are not attached to a node, and the kubelet sets the group of a mounted
// volume.
type Capabilities struct {
	Attach  bool `json:"attach"`
	FSGroup bool `json:"fsGroup"`
}

// Answer handles one call of the kubelet. The kubelet handles unsupported calls itself; this includes unmounting.
func Answer(ctx context.Context, volumes string, args []string) Reply {
	switch {
	case len(args) == 1 && args[0] == "init":
		return Reply{Status: "Success", Capabilities: &Capabilities{FSGroup: true}}
	case len(args) == 3 && args[0] == "mount":
		if err := mount(ctx, volumes, args[1], args[2]); err != nil {
			return Reply{Status: "Failure", Message: err.Error()}
		}
		return Reply{Status: "Success"}
	}
	return Reply{Status: "Not supported"}
}

func mount(ctx context.Context, volumes, target, options string) error {
	image, err := imageOf(volumes, options)
	if err != nil {
		return err
	}
	return run(ctx, "mount", "-o", "loop", image, target)
}

// imageOf returns the image of the volume that the kubelet names. The path is built only from a name, as in the
// provisioner.
func imageOf(volumes, options string) (string, error) {
	var of struct {
		Volume string `json:"kubernetes.io/pvOrVolumeName"`
	}
	if err := json.Unmarshal([]byte(options), &of); err != nil {
		return "", fmt.Errorf("read the kubelet's options: %w", err)
	}
	if of.Volume != filepath.Base(of.Volume) || of.Volume == "." || of.Volume == ".." {
		return "", fmt.Errorf("%q is not a plain name", of.Volume)
	}
	return filepath.Join(volumes, of.Volume, file), nil
}
