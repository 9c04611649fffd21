package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCallsALoadByWhatTellsItFromTheOthers(t *testing.T) {
	read, write := Cell{Phase: "read", Operation: "read", Threads: 24, TargetRate: 150}, Cell{Phase: "write", Operation: "write", Threads: 4}
	lossy, wide, faster, open := read, read, read, read
	lossy.Phase = "read-lossy"
	wide.Connections = 96
	faster.TargetRate = 300
	open.TargetRate, open.Threads = 0, 1
	rate, rates := Cell{Phase: "search", Operation: "rate", TargetRate: 100}, Cell{Phase: "search", Operation: "rate", TargetRate: 200}
	for name, test := range map[string]struct {
		cell   Cell
		others []Cell
		want   string
	}{
		"alone":                            {read, []Cell{read, write}, "read"},
		"of two phases":                    {lossy, []Cell{read, lossy, write}, "read, phase read-lossy"},
		"with more connections":            {wide, []Cell{read, wide}, "read, 96 connections"},
		"with as many as threads":          {read, []Cell{read, wide}, "read, 24 connections"},
		"at another rate":                  {faster, []Cell{read, faster}, "read, rate 300"},
		"of an operation called rate":      {rate, []Cell{rate, rates}, "rate, rate 100"},
		"at no rate, and with a thread":    {open, []Cell{read, open}, "read, 1 thread"},
		"each difference is told but once": {read, []Cell{read, faster, open, faster, open}, "read, 24 threads, rate 150"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, test.cell.NameAmong(test.others)) })
	}
}
