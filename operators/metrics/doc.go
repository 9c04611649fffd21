// Package metrics is the one place for the name of every Prometheus metric and label of Ringside: meter and the operator
// serve them, rules and dashboards query them. Units are seconds and bytes, as Prometheus has it.
package metrics
