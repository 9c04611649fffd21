package v1beta1

import (
	"maps"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Labels that Ringside sets on every object of a run, and reads from stores. Values are names from the Experiment.
const (
	// LabelExperiment is the experiment's name, without the run.
	LabelExperiment = "ringside.dev/experiment"
	// LabelRun is the run's identifier: the start in UTC, as in 20261121-001500.
	LabelRun = "ringside.dev/run"
	// LabelServer is the server's name. A store's chart sets it on the Service of each server.
	LabelServer = "ringside.dev/server"
	// LabelPhase is the phase's name.
	LabelPhase = "ringside.dev/phase"
	// LabelOperation is the phase's operation: write, read, ...
	LabelOperation = "ringside.dev/operation"
	// LabelRound is the round, counted from 1.
	LabelRound = "ringside.dev/round"
	// LabelRepeat is the repeat within the phase, counted from 1.
	LabelRepeat = "ringside.dev/repeat"
	// LabelMeasurement is the name of the Measurement that a load Job or a log belongs to.
	LabelMeasurement = "ringside.dev/measurement"
	// LabelReleasePrefix is, with the name of a release, on load pods that may drive it. The NetworkPolicy of the release admits no other pods.
	LabelReleasePrefix = "ringside.dev/release-"
	// LabelInstance is Kubernetes' label that names the release of an object.
	LabelInstance = "app.kubernetes.io/instance"
	// LabelStore is the name of the store's chart.
	LabelStore = "ringside.dev/store"
	// LabelDisk is, on a node, the kind of disk of the store's volumes: ssd or hdd.
	LabelDisk = "ringside.dev/disk"
	// LabelComponent is Kubernetes' label that distinguishes a store's pods from other pods of its chart: see StoreComponent.
	LabelComponent = "app.kubernetes.io/component"
	// LabelScrape marks pods whose port "metrics" Prometheus scrapes.
	LabelScrape = "ringside.dev/scrape"
)

// AnnotationExportedEnd marks Experiments whose results, including logs, were exported. Its value is the status.finishedAt (RFC 3339) of the
// exported run. The ringside command sets it once a finished run is completely written. It is a time of the cluster's clock, and only
// compared for equality, so the clock of the user's machine does not matter.
const AnnotationExportedEnd = "ringside.dev/exported-end"

// ObjectLabels returns the labels of what belongs to a Measurement: its load Job, logs and MeasurementParts.
func (m *Measurement) ObjectLabels() map[string]string {
	labels := map[string]string{}
	maps.Copy(labels, m.Labels)
	labels[LabelMeasurement] = m.Name
	return labels
}

// ExportMark returns the value of AnnotationExportedEnd for a run that ended at this time.
func ExportMark(finishedAt metav1.Time) string { return finishedAt.UTC().Format(time.RFC3339) }

const (
	// Finalizer keeps an Experiment until its store is removed.
	Finalizer = "ringside.dev/store"
	// ServerPortName is the Service port on which a server type answers.
	ServerPortName = "server"
	// CountersPortName is the UDP container port on which a store's pods report their resource usage.
	CountersPortName = "counters"
	// ProfilePortName is the TCP container port on which a store's pods provide profiles.
	ProfilePortName = "profile"
	// KillPortName is the TCP container port that makes a store's process kill itself.
	KillPortName = "kill"
	// MaintenancePortName is the TCP container port, on the pod's loopback address, at which a store's node carries out tasks of maintenance.
	MaintenancePortName = "maintenance"
	// StoreComponent is the value of LabelComponent on a store's pods.
	StoreComponent = "store"
	// ProofMark starts the log line by which a store proves which server runs; a JSON object (Proof) follows it.
	ProofMark = "ringside-proof "
)
