// Package depot archives runs in places that outlive cluster and machine: a folder, such as a mounted volume, or a
// bucket of an S3-compatible storage. A run at a place has the same layout as in the results folder,
// <place>/<experiment>/<run>/. It counts as complete once SHA256SUMS exists, which is written last. A later export of
// the run is staged next to the earlier one, and replaces it when its own SHA256SUMS is written.
package depot
