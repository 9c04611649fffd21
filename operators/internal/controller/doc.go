// Package controller runs experiments.
//
// One Reconcile observes (reads the API), decides (nextStep, a pure function) and does the one effect of the step. All
// state is in the API objects: the Experiment's status names the installed store, each cell has a Measurement with its
// progress, and the names of Jobs and Helm releases follow from the plan. After a crash at any instant, the next
// operator therefore decides the same step from the same objects.
//
// Every write to a status carries the resourceVersion that it was decided on, so the API server rejects a decision on
// stale objects. Steps that change other objects confirm their version first (confirm.go).
//
// A step is a small type in the file of its stage, with its input and its effect: accept, queue, install (install and
// await the store), prove, measure (create, begin, announce, await), collect, retry, judge, remove, finish. The
// decisions are in decide*.go.
package controller
