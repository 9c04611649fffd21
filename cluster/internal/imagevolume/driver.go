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
	// Driver is what a PersistentVolume calls the driver.
	Driver = "ringside.dev/image"
	// Command is the hidden command under which this program is the driver.
	Command = "image-volume"
)

// Install the driver in a kubelet's directory of volume plugins: a program that the kubelet knows by its path, and that calls this one.
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

// Reply to the kubelet.
type Reply struct {
	Status       string        `json:"status"`
	Message      string        `json:"message,omitempty"`
	Capabilities *Capabilities `json:"capabilities,omitempty"`
}

// Capabilities of the driver: nothing is attached to a node, and the kubelet gives what is mounted to the group of the pod.
type Capabilities struct {
	Attach  bool `json:"attach"`
	FSGroup bool `json:"fsGroup"`
}

// Answer one call of the kubelet. What is not supported it does by itself; so it unmounts.
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

// imageOf the volume that the kubelet names. As for the provisioner, a path is built from a name alone.
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
