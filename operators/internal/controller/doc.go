// Package controller runs experiments.
//
// One Reconcile is: observe (read the API), decide (nextStep, pure), do (the step's one effect). All state is in the API objects:
// the Experiment's status says which store is installed, a Measurement per cell says how far the cell is, Jobs and Helm
// releases have names that follow from the plan. So whatever instant an operator is killed at, the next one decides the
// same step from the same objects. Every write to a status carries the resourceVersion it was decided on, and a decision
// on stale objects is refused by the API server instead of doubling anything; steps that change other objects confirm
// theirs first.
//
// A step is a small type in the file of its stage, with what it needs and its doing: accept, queue, install (install and await the
// store), prove, measure (create, begin, announce, await), collect, retry, judge, remove, finish. The decisions are in decide*.go.
package controller
