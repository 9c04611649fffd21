// Package storechart reads the charts of stores, as defined in docs/reference/store-contract.md, and installs, removes and renders them with
// Helm. It is the source for what a store supports: schema, annotations, and values merged as Helm merges them. Package installation uses the
// parts of it that any chart needs.
package storechart
