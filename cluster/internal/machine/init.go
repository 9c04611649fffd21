package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// specFD is where Start leaves the reading end of the spec's pipe.
const specFD = 3

// Init turns the calling process, the first of its namespaces, into a machine. It returns only on failure.
func Init() error {
	if os.Getpid() != 1 {
		return errors.New("this command is the embedded cluster's own: use 'ringside-cluster up'")
	}
	spec, err := receiveSpec()
	if err != nil {
		return err
	}
	if err := unix.Sethostname([]byte(spec.Name)); err != nil {
		return fmt.Errorf("set host name: %w", err)
	}
	if err := arrangeFiles(spec); err != nil {
		return err
	}
	for path, value := range spec.Sysctls {
		if err := os.WriteFile(filepath.Join("/proc/sys", path), []byte(value), 0); err != nil {
			return fmt.Errorf("set sysctl: %w", err)
		}
	}
	return newSupervisor(LogDir, statusFile).run(spec.Services)
}

func receiveSpec() (Spec, error) {
	pipe := os.NewFile(specFD, "spec")
	defer pipe.Close()
	var spec Spec
	if err := json.NewDecoder(pipe).Decode(&spec); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the starting program gave up")
		}
		return Spec{}, fmt.Errorf("receive spec: %w", err)
	}
	return spec, nil
}
