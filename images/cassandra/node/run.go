package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/images/internal/nodeclient"
)

func runCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "Run the node until it is told to end",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := readSettings(os.Getenv)
			if err != nil {
				return err
			}
			return run(cmd.Context(), settings)
		},
	}
}

func run(ctx context.Context, s settings) error {
	ring := recordOf(dataFolder)
	if err := ring.fits(s.nodes); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.healthAddress)
	if err != nil {
		return fmt.Errorf("listening for probes: %w", err)
	}
	probes := &http.Server{Handler: newHealth(s, ring).handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = probes.Serve(listener) }()
	defer func() { _ = probes.Close() }()

	seed, err := waitForSeed(ctx, s)
	if err != nil {
		return err
	}
	options, err := renderConfiguration(s, seed)
	if err != nil {
		return err
	}
	jamm, err := agent("jamm")
	if err != nil {
		return err
	}
	raiseLimits()
	environment, malloc := mallocEnvironment("/usr/lib")
	return runJVM(ctx, append(malloc, jvmArguments(options, jamm)...), environment)
}

// waitForSeed returns the seed's address after the seed listens for other nodes; on the seed itself it returns its own address at once. A
// node that started without a reachable seed would end, or create its own ring.
func waitForSeed(ctx context.Context, s settings) (string, error) {
	ordinal, err := s.ordinal()
	if err != nil || ordinal == 0 {
		return s.podIP, err
	}
	fmt.Printf("waiting for the seed %s\n", s.seed)
	var address string
	err = nodeclient.Poll(ctx, 250*time.Millisecond, func() error {
		addresses, err := net.DefaultResolver.LookupHost(ctx, s.seed)
		if err != nil {
			return err
		}
		address = addresses[0]
		dialer := net.Dialer{Timeout: time.Second}
		connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(address, strconv.Itoa(s.storagePort)))
		if err != nil {
			return err
		}
		return connection.Close()
	})
	if err != nil {
		return "", fmt.Errorf("waiting for the seed: %w", err)
	}
	return address, nil
}

// renderConfiguration writes cassandra.yaml and returns the JVM's options.
func renderConfiguration(s settings, seed string) (options string, err error) {
	ordinal, err := s.ordinal()
	if err != nil {
		return "", err
	}
	exporter, err := agent("jmx_prometheus_javaagent")
	if err != nil {
		return "", err
	}
	values := map[string]string{
		"POD_IP": s.podIP, "SEED": seed, "INITIAL_TOKEN": token(ordinal, s.nodes), "JMX_EXPORTER": exporter,
	}
	yaml, err := renderFile(filepath.Join(templates, "cassandra.yaml"), values)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(yamlFile, []byte(yaml), 0o600); err != nil {
		return "", fmt.Errorf("writing the configuration: %w", err)
	}
	return renderFile(filepath.Join(templates, "jvm.options"), values)
}

func renderFile(path string, values map[string]string) (string, error) {
	template, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading the configuration: %w", err)
	}
	text, err := render(string(template), values)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// runJVM runs java in the foreground. When the context ends, it sends SIGTERM, on which Cassandra drains; the kubelet limits the time for
// that.
func runJVM(ctx context.Context, arguments, environment []string) error {
	java := exec.CommandContext(ctx, "java", arguments...)
	java.Env = append(os.Environ(), environment...)
	java.Stdout, java.Stderr = os.Stdout, os.Stderr
	java.Cancel = func() error { return java.Process.Signal(syscall.SIGTERM) }
	err := java.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exitError(exit.ExitCode())
	case errors.As(err, &exit):
		status, _ := exit.Sys().(syscall.WaitStatus)
		return exitError(128 + int(status.Signal()))
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("starting java: %w", err)
	}
	return nil
}
