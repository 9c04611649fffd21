// Package scale measures how costs grow with the number of objects. It runs the operator's own binary against a real
// API server, with nodes and pods that KWOK simulates, and with loads that write the same data as meter. `make scale`
// prints the table.
package scale
