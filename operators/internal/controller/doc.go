// Package controller runs experiments.
//
// One Reconcile is: observe (read the API), decide (nextStep, pure), do (one effect). All state is in the API objects:
// the Experiment's status says which store is installed, a Measurement per cell says how far the cell is, Jobs and Helm
// releases have names that follow from the plan. So whatever instant an operator is killed at, the next one decides the
// same step from the same objects. Every write to a status carries the resourceVersion it was decided on, and a decision
// on stale objects is refused by the API server instead of doubling anything.
//
// The stages, one file each: accept, queue, install (install and await the store), prove, measure (create, begin, announce,
// await), collect, retry, remove, finish.
package controller
