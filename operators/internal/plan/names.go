package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

const (
	// maxMeasurementName leaves room for what the names of load pods add, such as "-a10-63-x7k2p": by its whole name, the pod shows to which
	// measurement it belongs, as a policy of charts/ringside requires.
	maxMeasurementName = 63 - len("-a10") - len("-63-") - len("x7k2p")
	// maxReleaseServer keeps release names short: charts append to them, and host names are DNS labels. maxRelease is the most that the library of
	// the charts uses of a name.
	maxReleaseServer = 16
	maxRelease       = 45
)

// JobName names the Job of one attempt at a measurement.
func JobName(measurement string, attempt int32) string {
	return fmt.Sprintf("%s-a%d", measurement, attempt)
}

// IsLoadPod reports whether the name is that of the pod with this index of an indexed Job. Kubernetes adds the index and five random characters to the
// Job's name.
func IsLoadPod(name, job string, index int32) bool {
	const random = 5
	prefix := fmt.Sprintf("%s-%d-", job, index)
	return strings.HasPrefix(name, prefix) && len(name) == len(prefix)+random
}

// FaultHelper names the container that carries out one timed fault of an attempt. The name is unique among all containers that the pod ever
// has.
func FaultHelper(measurement string, attempt, index int32) string {
	return fmt.Sprintf("fault-%s-a%d-%d", digest(measurement), attempt, index)
}

// measurementName returns <experiment>[-i<installation>]-r<round>-<server>-<phase>[-t<threads>][-c<connections>][-o<rate>]-<repeat>; the
// first installation has no part. In a name that would be too long, a digest of the whole name replaces the end of the experiment part.
func measurementName(experiment string, at place, server, phase, point string, repeat int32) string {
	cell := fmt.Sprintf("-r%d-%s-%s%s-%d", at.round, server, phase, point, repeat)
	if at.installation > 1 {
		cell = fmt.Sprintf("-i%d%s", at.installation, cell)
	}
	name := experiment + cell
	if len(name) <= maxMeasurementName {
		return name
	}
	room := maxMeasurementName - len(cell) - digestLength - 1
	if room < 1 {
		return shorten(name, maxMeasurementName)
	}
	return trimDash(experiment[:min(room, len(experiment))]) + "-" + digest(name) + cell
}

// dedicatedRelease returns <server>-r<round>-<digest>, which is unique per run even if runs share a name over time.
func dedicatedRelease(experimentUID string, round int32, server string) string {
	return fmt.Sprintf("%s-r%d-%s", trimDash(server[:min(maxReleaseServer, len(server))]), round, releaseKey(experimentUID, round, server))
}

// sharedRelease returns shared[-i<installation>]-<digest> for an installation that hosts all servers, also unique per run; the first installation has no part.
func sharedRelease(experimentUID string, installation int32, servers []string) string {
	key := releaseKey(experimentUID, 0, servers...)
	if installation > 1 {
		return fmt.Sprintf("shared-i%d-%s", installation, key)
	}
	return "shared-" + key
}

// releaseBeside returns <installation>-<server> for the release of a server that is installed with others; a digest replaces the end of a long name.
func releaseBeside(installation, server string) string {
	return installation + "-" + shorten(server, maxRelease-len(installation)-1)
}

func releaseKey(experimentUID string, round int32, servers ...string) string {
	return digest(fmt.Sprintf("%s/%d/%s", experimentUID, round, strings.Join(servers, ",")))
}

func shorten(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	return trimDash(name[:limit-digestLength-1]) + "-" + digest(name)
}

const digestLength = 6

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:digestLength]
}

func trimDash(s string) string { return strings.TrimRight(s, "-.") }
