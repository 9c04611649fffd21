// Package measure computes figures from HdrHistogram logs. It is pure: it reads and writes logs, merges the logs of several load pods
// exactly, and computes a measurement's result from the merged histograms. Percentiles are read from merged histograms, and never averaged.
//
// All values are nanoseconds.
package measure
