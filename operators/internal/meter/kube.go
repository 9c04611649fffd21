package meter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/clock"
)

// ErrSuperseded reports that the pod's attempt is no longer wanted: the measurement is at another one, or gone.
var ErrSuperseded = errors.New("superseded")

// requestTimeout of one request. An API server that is slow must not hold a delivery for long: it is tried again.
const requestTimeout = 10 * time.Second

// API is the three requests that meter makes, and the question for the time, for one pod of one attempt. It speaks plain REST: a client with every type of
// Kubernetes in it would make the binary, which every load pod copies, several times larger.
type API struct {
	client                 rest.Interface
	http                   *http.Client
	namespace, measurement string
	attempt, index         int32
}

// NewAPI for the pod that the config describes.
func NewAPI(config *rest.Config, c Config) (*API, error) {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	config = rest.CopyConfig(config)
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	config.Timeout = requestTimeout
	config.QPS = -1 // one pod makes a request a second at most
	config.UserAgent = "ringside-meter"
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("reach the API server: %w", err)
	}
	client, err := rest.UnversionedRESTClientForConfigAndClient(config, transport)
	if err != nil {
		return nil, fmt.Errorf("reach the API server: %w", err)
	}
	return &API{client: client, http: transport, namespace: c.Namespace, measurement: c.Measurement, attempt: c.Attempt, index: c.Index}, nil
}

// AskClock estimates how far this machine's clock is from the API server's, and tells each estimate, until it is good or ctx ends.
func (a *API) AskClock(ctx context.Context, tell func(clock.Estimate)) {
	clock.Ask(ctx, a.http, a.client.Get().AbsPath("/version").URL().String(), tell)
}

// For another measurement of the same attempt: a companion in an interleaved phase.
func (a *API) For(measurement string) *API {
	other := *a
	other.measurement = measurement
	return &other
}

func (a *API) measurementPath() string {
	return fmt.Sprintf("/apis/%s/namespaces/%s/measurements/%s", v1alpha1.GroupVersion, a.namespace, a.measurement)
}

// Measurement as it is now. ErrSuperseded when it is gone or at a later attempt.
func (a *API) Measurement(ctx context.Context) (*v1alpha1.Measurement, error) {
	data, err := a.client.Get().AbsPath(a.measurementPath()).Do(ctx).Raw()
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("%w: measurement %s does not exist any more", ErrSuperseded, a.measurement)
	}
	if err != nil {
		return nil, fmt.Errorf("get measurement %s: %w", a.measurement, err)
	}
	var m v1alpha1.Measurement
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("get measurement %s: %w", a.measurement, err)
	}
	if m.Status.Attempt > a.attempt {
		return nil, fmt.Errorf("%w: this pod belongs to attempt %d, measurement %s is at attempt %d", ErrSuperseded, a.attempt, a.measurement, m.Status.Attempt)
	}
	if m.Status.Attempt < a.attempt {
		return nil, fmt.Errorf("measurement %s is at attempt %d, this pod belongs to attempt %d", a.measurement, m.Status.Attempt, a.attempt)
	}
	return &m, nil
}

// WritePart writes the pod's part, and nothing else, provided that the measurement is still at the pod's attempt: the
// version that was read is a condition of the write.
func (a *API) WritePart(ctx context.Context, part v1alpha1.Part) error {
	m, err := a.Measurement(ctx)
	if err != nil {
		return err
	}
	part.Index, part.Attempt = a.index, a.attempt
	body := map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(),
		"kind":       "Measurement",
		"metadata":   map[string]string{"name": a.measurement, "resourceVersion": m.ResourceVersion},
		"status":     map[string]any{"parts": []v1alpha1.Part{part}},
	}
	err = a.apply(ctx, a.measurementPath()+"/status", body)
	if apierrors.IsConflict(err) {
		return collision{m.Spec.Pods, err}
	}
	return err
}

// StoreLog stores one chunk of the pod's log under its own name, which tells its content: storing it again changes nothing. A
// pod may create ConfigMaps, neither read nor change them: those of others include Helm's. The chunk belongs to the pod's own
// measurement and is named after it, also where it is the log of a companion: of what a ConfigMap says, an admission policy can hold no
// more than that against the pod.
func (a *API) StoreLog(ctx context.Context, own, of *v1alpha1.Measurement, chunk int, data []byte) (name string, err error) {
	name = measure.LogName(own.Name, a.attempt, a.index, chunk, data)
	labels := map[string]string{}
	for k, v := range of.Labels {
		labels[k] = v
	}
	labels[v1alpha1.LabelMeasurement] = of.Name
	body := corev1.ConfigMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{
			Name:   name,
			Labels: labels,
			// It does not hold up the measurement's deletion, which would take a right to the measurement.
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "Measurement", Name: own.Name, UID: own.UID,
			}},
		},
		BinaryData: map[string][]byte{measure.LogKey: data},
	}
	path := fmt.Sprintf("/api/v1/namespaces/%s/configmaps", a.namespace)
	text, err := json.Marshal(body)
	if err != nil {
		return name, fmt.Errorf("store log %s: %w", name, err)
	}
	err = a.client.Post().AbsPath(path).Body(text).Do(ctx).Error()
	if apierrors.IsAlreadyExists(err) {
		return name, nil
	}
	if err != nil {
		return name, fmt.Errorf("store log %s: %w", name, err)
	}
	return name, nil
}

// apply is a server-side apply: it creates what is missing, and owns only what it sets.
func (a *API) apply(ctx context.Context, path string, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("apply %s: %w", path, err)
	}
	err = a.client.Patch(types.ApplyPatchType).AbsPath(path).
		Param("fieldManager", fmt.Sprintf("ringside-meter-%d", a.index)).Param("force", "true").
		Body(data).Do(ctx).Error()
	if err != nil {
		return fmt.Errorf("apply %s: %w", path, err)
	}
	return nil
}
