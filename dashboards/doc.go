// Package dashboards defines Ringside's Grafana dashboards in Go. Their JSON is generated into charts/monitoring/dashboards.
// Names of metrics and labels come from operators/metrics, so that a query cannot use a metric that does not exist.
package dashboards

//go:generate go run ./cmd/generate ../charts/monitoring/dashboards
