// Package e2e runs the main job on the embedded cluster as a user does, with the built CLI, and breaks things on the way.
// It is compiled with -tags e2e and needs the cluster that `make ready` leaves; `make test-e2e` does both.
package e2e
