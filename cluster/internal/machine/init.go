package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// specFD is the file descriptor of the pipe through which Start sends the spec.
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
	if err := setSysctls("/proc/sys", spec); err != nil {
		return err
	}
	shortfalls := raiseLimits()
	for _, shortfall := range shortfalls {
		log.Printf("limits: %s", shortfall)
	}
	if err := os.WriteFile(shortfallsFile, []byte(strings.Join(shortfalls, "\n")), 0o644); err != nil {
		return fmt.Errorf("report limits: %w", err)
	}
	return newSupervisor(LogDir, statusFile).run(spec.Services)
}

func setSysctls(root string, spec Spec) error {
	for path, value := range spec.Sysctls {
		if err := os.WriteFile(filepath.Join(root, path), []byte(value), 0); err != nil {
			return fmt.Errorf("set sysctl: %w", err)
		}
	}
	for path, value := range spec.SysctlsIfThere {
		f, err := os.OpenFile(filepath.Join(root, path), os.O_WRONLY, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			_, err = f.WriteString(value)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return fmt.Errorf("set sysctl: %w", err)
		}
	}
	return nil
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
