package main

import "sync"

// turns says which servers a probe asks. At first, and after a failure, each until it answers; then one in turn, so that many
// servers cost no more than one. A server that serves one connection at a time is not asked again: behind a load's connection
// it would look dead.
type turns struct {
	mutex    sync.Mutex
	answered map[string]bool
	last     int
}

// due are the servers that the next probe asks.
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

// note what became of a question.
func (t *turns) note(server server, answered bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.answered == nil {
		t.answered = make(map[string]bool)
	}
	t.answered[server.kind] = answered
}
