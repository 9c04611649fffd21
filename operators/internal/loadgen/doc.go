// Package loadgen reads what the image of a load generator accepts, and builds the Job that runs it for one attempt of a measurement. A schema of
// orders next to the image's description (docs/reference/load-contract.md) shows before a run what the load would refuse when it starts.
package loadgen
