// Package scale measures what size costs: the operator's own binary in front of a real API server, on nodes and pods that KWOK fakes,
// under loads that write what meter would. `make scale` prints the table.
package scale
