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

// ringRecord is a file beside a node's data. It is written when the node first sees its ring whole and holds the number of
// nodes of it, so that it outlives a restart of the node.
type ringRecord string

// recordOf is the record in a folder of data.
func recordOf(folder string) ringRecord { return ringRecord(filepath.Join(folder, "ringside-ring")) }

// nodes of the ring that the data belong to; 0 as long as it was never whole.
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

// write records that the ring was whole.
func (r ringRecord) write(nodes int) error {
	if err := os.WriteFile(string(r), []byte(strconv.Itoa(nodes)+"\n"), 0o600); err != nil {
		return fmt.Errorf("recording that the ring is whole: %w", err)
	}
	return nil
}

// fits refuses data of a ring of another size. Tokens are computed from the number of nodes, and no data are streamed: a node
// that started with another number would answer for rows that lie elsewhere.
func (r ringRecord) fits(nodes int) error {
	was, err := r.nodes()
	if err != nil || was == 0 || was == nodes {
		return err
	}
	return fmt.Errorf("this node's data belong to a ring of %d nodes, not of %d: set nodes back to %d, or uninstall the release, delete its volume claims and install it anew", was, nodes, was)
}
