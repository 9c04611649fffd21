package main

import "sync"

// turns chooses the servers that a probe asks: first, or after a failure, all that have not answered, then one in turn, so that many
// servers cost no more than one. A server that serves one connection at a time is not asked again after it has answered, because the probe
// would wait behind a load's connection.
type turns struct {
	mutex    sync.Mutex
	answered map[string]bool
	last     int
}

// due returns the servers that the next probe asks.
func (t *turns) due(servers []server) []server {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var due []server
	for _, server := range servers {
		if !t.answered[server.kind] {
			due = append(due, server)
		}
	}
	if len(due) > 0 {
		return due
	}
	for range servers {
		t.last = (t.last + 1) % len(servers)
		if next := servers[t.last]; !next.single {
			return []server{next}
		}
	}
	return nil
}

// note records whether a server answered.
func (t *turns) note(server server, answered bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.answered == nil {
		t.answered = make(map[string]bool)
	}
	t.answered[server.kind] = answered
}
