package loadjob

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Loads are not trusted: what they make meter keep, or write where both can, ends with their pod before it hurts the node.
const (
	// MeterMemory in bytes. 16 servers with 300 windows of 2,000 different times each, in two kinds of time, make meter keep 96 MiB (meter's
	// TestMeterFitsIntoItsMemory); Go's collector takes up to twice what is kept, and packing the log the rest.
	MeterMemory = 512 << 20
	// meterHeap is where Go's collector begins to work against the limit.
	meterHeap = MeterMemory / 8 * 7
	// installMemory is for the copy of one file, most of which is the kernel's cache of it.
	installMemory = 128 << 20

	// toolsBytes hold meter's program, of some 60 MB, and a socket.
	toolsBytes = 256 << 20
	// scratchBytes are for what a load tool keeps beside its log: temporary files, a JVM's own.
	scratchBytes = 1 << 30
	// logRate in bytes a second: ten intervals, each with four kinds of operation or sides of a duet in two kinds of time, of 4 KiB.
	logRate = 10 * 4 * 2 * 4 << 10
)

func meterResources() corev1.ResourceRequirements {
	return resources("10m", 32<<20, MeterMemory)
}

func installResources() corev1.ResourceRequirements {
	return resources("10m", 16<<20, installMemory)
}

// resources without a CPU limit: a meter that is held back measures what holds it back.
func resources(cpu string, memory, limit int64) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: *resource.NewQuantity(memory, resource.BinarySI)},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: *resource.NewQuantity(limit, resource.BinarySI)},
	}
}

// scratchLimit grows with the time that the load may take, for its log does.
func scratchLimit(order Order) int64 {
	return scratchBytes + int64(order.Experiment.Spec.Load.Timeout.Duration/time.Second)*logRate
}

func emptyVolume(name string, limit int64) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{
		SizeLimit: resource.NewQuantity(limit, resource.BinarySI),
	}}}
}
