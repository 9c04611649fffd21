package main

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// server is a server of this node.
type server struct {
	kind string
	port int
	// single reports that the server serves one connection at a time, so that a probe's connection would wait until the load's connection
	// ends.
	single bool
}

// settings are a node's settings, which the chart sets in its environment.
type settings struct {
	podName string
	podIP   string
	// nodes is the number of nodes of the store.
	nodes int
	// seed is the host name of the node that starts first.
	seed string
	// storagePort is the port for traffic between nodes.
	storagePort int
	servers     []server
	// healthAddress is the address of the kubelet's probes.
	healthAddress string
}

// readSettings reads the environment; an error names the variable and its allowed values.
func readSettings(getenv func(string) string) (settings, error) {
	s := settings{
		podName:       getenv("POD_NAME"),
		podIP:         getenv("POD_IP"),
		seed:          getenv("RINGSIDE_SEED"),
		healthAddress: getenv("RINGSIDE_HEALTH_ADDRESS"),
	}
	if net.ParseIP(s.podIP) == nil {
		return s, fmt.Errorf("POD_IP is %q: set it from the pod's status.podIP", s.podIP)
	}
	if _, err := s.ordinal(); err != nil {
		return s, err
	}
	if s.seed == "" || s.healthAddress == "" {
		return s, fmt.Errorf("RINGSIDE_SEED and RINGSIDE_HEALTH_ADDRESS must be set: the chart does")
	}
	var err error
	if s.nodes, err = number("RINGSIDE_NODES", getenv("RINGSIDE_NODES"), 1000); err != nil {
		return s, err
	}
	if s.storagePort, err = number("RINGSIDE_STORAGE_PORT", getenv("RINGSIDE_STORAGE_PORT"), 65535); err != nil {
		return s, err
	}
	s.servers, err = parseServers(getenv("RINGSIDE_SERVERS"), getenv("RINGSIDE_SINGLE_CONNECTION_SERVERS"))
	return s, err
}

// ordinal returns the pod's number in its StatefulSet, from 0.
func (s settings) ordinal() (int, error) {
	_, digits, _ := cutLast(s.podName, "-")
	ordinal, err := strconv.Atoi(digits)
	if err != nil || ordinal < 0 {
		return 0, fmt.Errorf("POD_NAME is %q: a StatefulSet's pod ends in its number, as in store-0", s.podName)
	}
	return ordinal, nil
}

// parseServers parses "type:port,type:port" and the list of types that serve one connection at a time.
func parseServers(list, singles string) ([]server, error) {
	var servers []server
	for entry := range strings.SplitSeq(list, ",") {
		kind, digits, _ := strings.Cut(strings.TrimSpace(entry), ":")
		port, err := number("the port in RINGSIDE_SERVERS", digits, 65535)
		if kind == "" || err != nil {
			return nil, fmt.Errorf("RINGSIDE_SERVERS is %q: it lists type:port,type:port", list)
		}
		of, _, _ := strings.Cut(kind, "-") // hsha-again is a further hsha
		single := strings.Contains(","+singles+",", ","+of+",")
		servers = append(servers, server{kind: kind, port: port, single: single})
	}
	return servers, nil
}

func number(name, digits string, most int) (int, error) {
	value, err := strconv.Atoi(digits)
	if err != nil || value < 1 || value > most {
		return 0, fmt.Errorf("%s is %q: a whole number from 1 to %d is needed", name, digits, most)
	}
	return value, nil
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}
