// Package measure turns HdrHistogram logs into figures. It is pure: it reads and writes logs, merges the logs of several
// load pods exactly, and computes a measurement's result from the merged histograms. Percentiles are only ever read from
// merged histograms; they are never averaged.
//
// Values are nanoseconds throughout.
package measure
