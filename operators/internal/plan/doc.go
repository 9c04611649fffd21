// Package plan turns an Experiment into the ordered list of installations and measurements. It is pure: the same spec and seed always give
// the same plan, so that a run can resume after its operator was replaced.
package plan
