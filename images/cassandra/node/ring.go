package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ringRecord is a file in a node's data folder. It is written when the node first finds its ring complete, and contains the number of
// nodes, so that the number survives a restart of the node.
type ringRecord string

// recordOf returns the record of a data folder.
func recordOf(folder string) ringRecord { return ringRecord(filepath.Join(folder, "ringside-ring")) }

// nodes returns the number of nodes of the ring that the data belong to; 0 if the ring was never complete.
func (r ringRecord) nodes() (int, error) {
	text, err := os.ReadFile(string(r))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("reading what ring the data belong to: %w", err)
	}
	return number(string(r), strings.TrimSpace(string(text)), 1000)
}

// write records that the ring was complete.
func (r ringRecord) write(nodes int) error {
	if err := os.WriteFile(string(r), []byte(strconv.Itoa(nodes)+"\n"), 0o600); err != nil {
		return fmt.Errorf("recording that the ring is whole: %w", err)
	}
	return nil
}

// fits returns an error if the data belong to a ring of another size. Tokens are computed from the number of nodes, and no data are
// streamed: a node that started with another number would answer for rows that are on other nodes.
func (r ringRecord) fits(nodes int) error {
	was, err := r.nodes()
	if err != nil || was == 0 || was == nodes {
		return err
	}
	return fmt.Errorf("this node's data belong to a ring of %d nodes, not of %d: set nodes back to %d, or uninstall the release, delete its volume claims and install it again", was, nodes, was)
}
