package plan

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Group returns the leading cell of an interleaved phase and its companions, the lead first. For any other cell, it returns that cell
// alone.
func (p Plan) Group(lead Cell) []Cell {
	group := []Cell{lead}
	for cell := range p.All() {
		if cell.Spec.Lead == lead.Name {
			group = append(group, *cell)
		}
	}
	return group
}

// stages splits the phases where interleaving begins or ends: a stage is either consecutive phases that each server runs alone, or one
// interleaved phase.
func stages(phases []v1beta1.PhaseSpec) [][]v1beta1.PhaseSpec {
	var out [][]v1beta1.PhaseSpec
	alone := true
	for _, phase := range phases {
		if phase.Interleave == nil && !alone {
			out[len(out)-1] = append(out[len(out)-1], phase)
			continue
		}
		alone = phase.Interleave != nil
		out = append(out, []v1beta1.PhaseSpec{phase})
	}
	return out
}

// interleaved plans one round of an interleaved phase: for each sweep point and repeat, a group of one cell per arm. The order of the round
// only decides which cell leads; the order of the windows comes from the group's own seed.
func interleaved(experiment *v1beta1.Experiment, at place, order []int, phase v1beta1.PhaseSpec, seed int64) []Cell {
	var out []Cell
	for _, point := range phase.Points() {
		for repeat := int32(1); repeat <= phase.Repeats; repeat++ {
			out = append(out, group(experiment, at, order, phase, point, repeat, seed)...)
		}
	}
	return out
}

func group(experiment *v1beta1.Experiment, at place, order []int, phase v1beta1.PhaseSpec, point v1beta1.Point, repeat int32, seed int64) []Cell {
	var arms []v1beta1.Arm
	cells := map[string][]Cell{} // by server
	for _, part := range partsOf(experiment, phase) {
		server := part.server
		cell := Cell{
			Name:  measurementName(experiment.Name, at, part.name, phase.Name, point.Suffix, repeat),
			Phase: phase,
			Spec:  measurementSpec(experiment, at, server, phase, point, repeat),
		}
		cell.Spec.Interleave, cell.Spec.Peer = phase.Interleave, part.peer
		cell.Spec.Seed = loadSeed(seed, "", cell.Spec)
		cells[server.Name] = append(cells[server.Name], cell)
		arms = append(arms, v1beta1.Arm{Measurement: cell.Name, Server: server.Name, Tag: part.tag})
	}
	var out []Cell
	for _, index := range order {
		for _, cell := range cells[experiment.Spec.Servers[index].Name] {
			if len(out) == 0 {
				cell.Spec.Arms = arms
			} else {
				cell.Spec.Lead = out[0].Name
			}
			out = append(out, cell)
		}
	}
	return out
}

// part is an arm of a server in an interleaved phase.
type part struct {
	server v1beta1.ServerSpec
	// name of the part within measurements' names, and tag of its lines in the log
	name, tag string
	// peer is the server under load at the same time; empty if there is none
	peer string
}

// partsOf returns the parts of an interleaved phase in the order of the spec: one for each server. In a duet, the baseline has one for each
// other server.
func partsOf(experiment *v1beta1.Experiment, phase v1beta1.PhaseSpec) []part {
	var parts []part
	baseline := experiment.Spec.BaselineName()
	for _, server := range experiment.Spec.Servers {
		switch {
		case phase.Interleave.Mode != v1beta1.InterleaveDuet:
			parts = append(parts, part{server: server, name: server.Name, tag: server.Name})
		case server.Name != baseline:
			parts = append(parts, part{server: server, name: server.Name, tag: server.Name, peer: baseline})
		default:
			for _, other := range experiment.Spec.Servers {
				if other.Name != baseline {
					parts = append(parts, part{server: server, name: baseline + "-vs-" + other.Name, tag: baseline + "@" + other.Name, peer: other.Name})
				}
			}
		}
	}
	return parts
}

// Slots returns the number of windows in a block of an interleaved phase: one for each server or, in a duet, one for each server except the
// baseline, which runs in all of them.
func Slots(interleave *v1beta1.Interleave, servers int) int {
	if interleave.Mode == v1beta1.InterleaveDuet {
		return servers - 1
	}
	return servers
}

// Block returns the duration of a block of an interleaved phase: its windows and their lead-ins.
func Block(interleave *v1beta1.Interleave, servers int) time.Duration {
	return (interleave.Window.Duration + interleave.LeadIn.Duration) * time.Duration(Slots(interleave, servers))
}

// Blocks returns the number of whole blocks in an interleaved phase. Each server has a window in each.
func Blocks(interleave *v1beta1.Interleave, duration time.Duration, servers int) int {
	return int(duration / Block(interleave, servers))
}

// connectionsInRound is how often a load with interleave.reconnect opens its connections in a round. Which thread of a server a connection is assigned
// to is then drawn several times, so a round's figure depends less on it.
const connectionsInRound = 4

// Reconnects returns the blocks, from 0, before which the load reopens its connections, evenly distributed over the round. For the first block,
// connections are opened anyway. Empty if connections stay open.
func Reconnects(interleave *v1beta1.Interleave, duration time.Duration, servers int) []int {
	if !interleave.Reconnect {
		return nil
	}
	blocks := Blocks(interleave, duration, servers)
	parts := min(blocks, connectionsInRound)
	var before []int
	for part := 1; part < parts; part++ {
		before = append(before, part*blocks/parts)
	}
	return before
}
