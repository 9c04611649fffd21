// Package dashboards is Ringside's Grafana dashboards as code. Their JSON is generated into json/, which the monitoring
// chart carries; names of metrics and labels come from operators/metrics, so that a query cannot name a metric that does not exist.
package dashboards

//go:generate go run ./cmd/generate json
