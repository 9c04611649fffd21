// Package meter runs a load tool inside its pod and is the only part of a load image that knows Kubernetes and
// Prometheus. It takes the pod's share of a Measurement, waits for the announced start, runs the tool, follows its
// HdrHistogram log, serves metrics, and delivers the pod's Part and log to the API server.
//
// The load comes first: meter does next to nothing per interval, and an API server or a Prometheus that is away never
// holds the load up. What could not be told during the run is told after it.
package meter
