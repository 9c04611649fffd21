package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/settings"
)

const (
	// ProofLog is the number of bytes searched in a pod's log. A store proves its servers at its start, so near the beginning of the log.
	ProofLog = 16 << 20
	// maxProofLine limits the size of a proof. One with all JVM flags has a few kB, and an Experiment's status stores all proofs.
	maxProofLine = 32 << 10
)

// MalformedProofError reports a proof line that cannot be read.
type MalformedProofError struct {
	Pod   string
	Cause error
}

func (e *MalformedProofError) Error() string {
	return fmt.Sprintf("read the proof line of pod %s: %v", e.Pod, e.Cause)
}

func (e *MalformedProofError) Unwrap() error { return e.Cause }

// proofLine is the JSON object of a store's proof line (docs/reference/store-contract.md). Its field names are those of the contract, not
// of the API.
type proofLine struct {
	Server       string            `json:"server"`
	Class        string            `json:"class"`
	Address      string            `json:"address"`
	Port         int32             `json:"port"`
	PluginSHA256 string            `json:"plugin_sha256"`
	Environment  map[string]string `json:"environment"`
	// Settings differ from the store's defaults; Defaults do not.
	Settings map[string]string `json:"settings"`
	Defaults map[string]string `json:"defaults"`
}

func (l proofLine) proof(asked []string) v1beta1.Proof {
	told := settings.Told{Changed: l.Settings, Defaults: l.Defaults}
	return v1beta1.Proof{Server: l.Server, Class: l.Class, Address: l.Address, Port: l.Port, PluginSHA256: l.PluginSHA256, Environment: l.Environment,
		Settings: told.Kept(asked), SettingsSHA256: told.Digest()}
}

// ReadProofs finds the proof lines at the beginning of a pod's log, and adds the pod and its image to them. Of several proofs of a server,
// the last counts. It keeps the settings that differ from the store's defaults, and those that were asked for.
func ReadProofs(log io.Reader, pod corev1.Pod, asked []string) ([]v1beta1.Proof, error) {
	var order []string
	byServer := map[string]v1beta1.Proof{}
	lines := bufio.NewReaderSize(io.LimitReader(log, ProofLog), maxProofLine)
	for {
		line, complete, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the log of pod %s: %w", pod.Name, err)
		}
		_, text, found := strings.Cut(line, v1beta1.ProofMark)
		if !found {
			continue
		}
		if !complete {
			return nil, &MalformedProofError{Pod: pod.Name, Cause: fmt.Errorf("it is longer than %d bytes", maxProofLine)}
		}
		var told proofLine
		// The log's layout may append text to the object.
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&told); err != nil {
			return nil, &MalformedProofError{Pod: pod.Name, Cause: err}
		}
		proof := told.proof(asked)
		proof.Release, proof.Pod, proof.Node, proof.ImageDigest = pod.Labels[v1beta1.LabelInstance], pod.Name, pod.Spec.NodeName, imageDigest(pod)
		if _, seen := byServer[proof.Server]; !seen {
			order = append(order, proof.Server)
		}
		byServer[proof.Server] = proof
	}
	proofs := make([]v1beta1.Proof, len(order))
	for i, server := range order {
		proofs[i] = byServer[server]
	}
	return proofs, nil
}

// readLine returns the beginning of the next line, and whether that is the whole line. A store may log lines of any length.
func readLine(lines *bufio.Reader) (text string, complete bool, err error) {
	beginning, more, err := lines.ReadLine()
	if err != nil {
		return "", false, err
	}
	text, complete = string(beginning), !more
	for more {
		if _, more, err = lines.ReadLine(); err != nil && !errors.Is(err, io.EOF) {
			return "", false, err
		}
	}
	return text, complete, nil
}

// Container returns the name of the container that logs the proof: the first, by the contract of store charts.
func Container(pod corev1.Pod) string {
	if len(pod.Spec.Containers) == 0 {
		return ""
	}
	return pod.Spec.Containers[0].Name
}

// imageDigest returns the digest that the kubelet ran for the store's container.
func imageDigest(pod corev1.Pod) string { return ImageDigest(pod, Container(pod)) }

// ImageDigest returns the digest that the kubelet ran for a container of the pod, without the image's name; empty if it runs none.
func ImageDigest(pod corev1.Pod, container string) string {
	for _, status := range pod.Status.ContainerStatuses {
		if status.Name != container {
			continue
		}
		if at := strings.LastIndex(status.ImageID, "sha256:"); at >= 0 {
			return status.ImageID[at:]
		}
		return status.ImageID
	}
	return ""
}
