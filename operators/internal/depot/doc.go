// Package depot keeps archives of runs where they outlive cluster and machine: in a folder, such as a volume that is mounted, or in a
// bucket of an S3-compatible storage. A run is at a place as it is among the results, <place>/<experiment>/<run>/, and it is a run there
// once its SHA256SUMS is: that comes last. A later export of it is staged beside the earlier one, and is the run with its own SHA256SUMS.
package depot
