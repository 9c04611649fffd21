package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// seeded gives each load that has a server to itself a seed of its own. Those of interleaved phases have one for all their servers.
func (p Plan) seeded(seed int64) Plan {
	for cell := range p.All() {
		if cell.Spec.Interleave == nil {
			cell.Spec.Seed = loadSeed(seed, cell.Spec.Server, cell.Spec)
		}
	}
	return p
}

// loadSeed derives the seed of a load from the run's. It has 53 bits, which clients that parse JSON numbers as floating point read exactly.
func loadSeed(seed int64, server string, s v1beta1.MeasurementSpec) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d/%d/%s/%s/%d/%d/%d/%d", seed, s.Installation, s.Round, server, s.Phase, s.Threads, s.Connections, s.TargetRate, s.Repeat))
	return int64(binary.BigEndian.Uint64(sum[:8]) >> 11)
}
