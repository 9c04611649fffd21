// Package schedule draws what a soak kills, and when, from a seed alone: the same seed kills the same kinds after the same pauses.
package schedule

import (
	"math/rand/v2"
	"time"
)

// Kind of thing that is killed.
type Kind string

// Kinds of what is killed.
const (
	// Operator is its pod.
	Operator Kind = "operator"
	// LoadPod is a pod that drives a load, or is about to.
	LoadPod Kind = "load pod"
	// StorePod is a pod of the store under test.
	StorePod Kind = "store pod"
	// Kubelet and Containerd are daemons of a node.
	Kubelet    Kind = "kubelet"
	Containerd Kind = "containerd"
	// Node is a whole machine, by its init.
	Node Kind = "node"
	// APIServer and Etcd are daemons of the control plane.
	APIServer Kind = "API server"
	Etcd      Kind = "etcd"
	// Command is the ringside command that follows the run.
	Command Kind = "ringside command"
)

// deck holds each kind as often as it is hit in a round of kills: what measurements hang on more often than what they do not.
var deck = []Kind{
	Operator, Operator, LoadPod, LoadPod, LoadPod, StorePod, StorePod, StorePod, Command, Command,
	Kubelet, Containerd, Node, APIServer, Etcd,
}

// Kinds in the order in which they are told of.
func Kinds() []Kind {
	var kinds []Kind
	for i, kind := range deck {
		if i == 0 || deck[i-1] != kind {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// Kill is one of the sequence.
type Kill struct {
	Kind Kind
	// After the one before was done.
	After time.Duration
	// Down is how long a machine stays so before it is started again.
	Down time.Duration
	// Pick chooses among what could be hit, and how.
	Pick uint64
}

// Sequence of kills, without an end.
type Sequence struct {
	random *rand.Rand
	gap    time.Duration
	left   []Kind
}

// New sequence of a seed, with gap between two kills on average.
func New(seed int64, gap time.Duration) *Sequence {
	return &Sequence{random: rand.New(rand.NewPCG(uint64(seed), 0)), gap: gap}
}

// Next kill. Kinds come as cards from a shuffled deck, so that a short soak meets them all; pauses last from a fifth of the gap to nearly
// twice as long.
func (s *Sequence) Next() Kill {
	if len(s.left) == 0 {
		s.left = append(s.left, deck...)
		s.random.Shuffle(len(s.left), func(i, j int) { s.left[i], s.left[j] = s.left[j], s.left[i] })
	}
	kind := s.left[0]
	s.left = s.left[1:]
	pause := s.gap/5 + time.Duration(s.random.Int64N(int64(s.gap)*8/5+1))
	return Kill{Kind: kind, After: pause, Down: time.Duration(s.random.Int64N(int64(s.gap) + 1)), Pick: s.random.Uint64()}
}
