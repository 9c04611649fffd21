package loadgen

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Loads are not trusted: a load that makes meter keep too much, or writes too much to a shared volume, must end its own pod before it harms
// the node.
const (
	// MeterMemory in bytes. 16 servers with 300 windows of 2,000 distinct times each, in two kinds of time, make meter keep 96 MiB (meter's
	// TestMeterFitsIntoItsMemory). Go's garbage collector needs up to twice the kept memory, and packing the log the rest.
	MeterMemory = 512 << 20
	// meterHeap is the heap size at which Go's garbage collector works to stay below the limit.
	meterHeap = MeterMemory / 8 * 7
	// installMemory is for copying one file, mostly the kernel's page cache.
	installMemory = 128 << 20

	// toolsBytes is for meter's program, of some 60 MB, and a socket.
	toolsBytes = 256 << 20
	// scratchBytes is for what a load tool stores besides its log, such as temporary files of a JVM.
	scratchBytes = 1 << 30
	// logRate in bytes a second: ten intervals of 4 KiB, each with four kinds of operation or sides of a duet, in two kinds of time.
	logRate = 10 * 4 * 2 * 4 << 10
)

func meterResources() corev1.ResourceRequirements {
	return resources("10m", 32<<20, MeterMemory)
}

func installResources() corev1.ResourceRequirements {
	return resources("10m", 16<<20, installMemory)
}

// resources sets no CPU limit, because a throttled meter would measure the throttling.
func resources(cpu string, memory, limit int64) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: *resource.NewQuantity(memory, resource.BinarySI)},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: *resource.NewQuantity(limit, resource.BinarySI)},
	}
}

// scratchLimit grows with the load's timeout, as the log does.
func scratchLimit(order JobOrder) int64 {
	return scratchBytes + int64(order.Experiment.Spec.Load.Timeout.Duration/time.Second)*logRate
}

func emptyVolume(name string, limit int64) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{
		SizeLimit: resource.NewQuantity(limit, resource.BinarySI),
	}}}
}
