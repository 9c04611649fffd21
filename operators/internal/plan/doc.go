// Package plan turns an Experiment into the list of what is installed and measured, in order. It is pure: the same spec
// and seed give the same plan on every call, which is how a run goes on after its operator was replaced.
package plan
