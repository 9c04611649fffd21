package store

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// maxLogLine bounds a store's log line; a proof with all JVM flags has a few kB.
const maxLogLine = 1 << 20

// ReadProofs finds the proof lines in a pod's log, and says on which pod and image they were found. A server that was
// proved twice counts as it was proved last.
func ReadProofs(log io.Reader, pod corev1.Pod) ([]v1alpha1.Proof, error) {
	var order []string
	byServer := map[string]v1alpha1.Proof{}
	scanner := bufio.NewScanner(log)
	scanner.Buffer(make([]byte, 0, 64*1024), maxLogLine)
	for scanner.Scan() {
		_, text, found := strings.Cut(scanner.Text(), v1alpha1.ProofMark)
		if !found {
			continue
		}
		var proof v1alpha1.Proof
		// The object may be followed by what the log's layout appends.
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&proof); err != nil {
			return nil, fmt.Errorf("read the proof line of pod %s: %w", pod.Name, err)
		}
		proof.Pod, proof.Node, proof.ImageDigest = pod.Name, pod.Spec.NodeName, imageDigest(pod)
		if _, seen := byServer[proof.Server]; !seen {
			order = append(order, proof.Server)
		}
		byServer[proof.Server] = proof
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("read the log of pod %s: %w", pod.Name, err)
	}
	proofs := make([]v1alpha1.Proof, len(order))
	for i, server := range order {
		proofs[i] = byServer[server]
	}
	return proofs, nil
}

// Container of a store pod that logs the proof: the first, as the contract of a chart has it.
func Container(pod corev1.Pod) string {
	if len(pod.Spec.Containers) == 0 {
		return ""
	}
	return pod.Spec.Containers[0].Name
}

// imageDigest that the kubelet ran for the store's container, without the name before it.
func imageDigest(pod corev1.Pod) string {
	for _, status := range pod.Status.ContainerStatuses {
		if status.Name != Container(pod) {
			continue
		}
		if at := strings.LastIndex(status.ImageID, "sha256:"); at >= 0 {
			return status.ImageID[at:]
		}
		return status.ImageID
	}
	return ""
}
