// Package dashboards is Ringside's Grafana dashboards as code. Their JSON is generated into json/, which the monitoring
// chart carries; names of metrics and labels come from operators/metrics, so that a query cannot name what nobody serves.
package dashboards

//go:generate go run ./cmd/generate json
