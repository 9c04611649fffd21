package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// listeningPorts returns the TCP ports of this pod with a listener.
//
// It asks the kernel for listeners only. The table in /proc lists connections too, and the kernel creates it from the hash table of all
// connections of the machine: that costs 80 times as much, even without connections. It is read only where the kernel rejects the request,
// for example in a sandbox.
func listeningPorts() (map[int]bool, error) {
	if ports, err := askForListeners(); err == nil {
		return ports, nil
	}
	return readTables("/proc/net/tcp", "/proc/net/tcp6")
}

func readTables(paths ...string) (map[int]bool, error) {
	ports := make(map[int]bool)
	for _, path := range paths {
		file, err := os.Open(path)
		if os.IsNotExist(err) {
			continue // a kernel without IPv6
		}
		if err != nil {
			return nil, err
		}
		err = parseListening(file, ports)
		_ = file.Close()
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
	}
	return ports, nil
}

// parseListening adds the ports in state LISTEN of a table such as /proc/net/tcp: number, local address, remote address, state.
func parseListening(table io.Reader, ports map[int]bool) error {
	const listen = "0A"
	lines := bufio.NewScanner(table)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || fields[3] != listen {
			continue
		}
		_, hex, _ := cutLast(fields[1], ":")
		port, err := strconv.ParseUint(hex, 16, 16)
		if err != nil {
			return fmt.Errorf("local address %q: %w", fields[1], err)
		}
		ports[int(port)] = true
	}
	return lines.Err()
}
