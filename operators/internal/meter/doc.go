// Package meter runs a load tool inside its pod, and is the only part of a load image with access to Kubernetes and Prometheus. It takes
// the pod's share of a Measurement, waits for the announced start, runs the tool, follows its HdrHistogram log, serves metrics, and
// delivers the pod's MeasurementPart and log to the API server.
//
// The load has priority: meter does very little per interval, and an unavailable API server or Prometheus never delays the load. What could
// not be reported during the run is reported after it.
package meter
