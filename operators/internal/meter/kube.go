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

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/clock"
)

// ErrSuperseded reports that the pod's attempt is obsolete: the measurement has a later attempt, or is gone.
var ErrSuperseded = errors.New("superseded")

// requestTimeout limits one request, so that a slow API server does not delay a delivery for long. Requests are retried.
const requestTimeout = 10 * time.Second

// API makes meter's requests, and reads the server's time, for one pod of one attempt. It uses plain REST, because a client with all
// Kubernetes types would make the binary, which every load pod copies, several times larger.
type API struct {
	client                 rest.Interface
	http                   *http.Client
	namespace, measurement string
	pod                    string
	attempt, index         int32
}

// NewAPI returns the API for the pod of the config.
func NewAPI(config *rest.Config, c Config) (*API, error) {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	config = rest.CopyConfig(config)
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	config.Timeout = requestTimeout
	config.QPS = -1 // no client-side limit: one pod makes few requests (see orders)
	config.UserAgent = "ringside-meter"
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("reach the API server: %w", err)
	}
	client, err := rest.UnversionedRESTClientForConfigAndClient(config, transport)
	if err != nil {
		return nil, fmt.Errorf("reach the API server: %w", err)
	}
	return &API{client: client, http: transport, namespace: c.Namespace, measurement: c.Measurement, pod: c.Pod, attempt: c.Attempt, index: c.Index}, nil
}

// AskClock estimates the offset of this machine's clock to the API server's. It calls tell with each estimate until one is good enough or
// ctx ends.
func (a *API) AskClock(ctx context.Context, tell func(clock.Estimate)) {
	clock.Ask(ctx, a.http, a.client.Get().AbsPath("/version").URL().String(), tell)
}

// For returns the API for another measurement of the same attempt: a companion in an interleaved phase.
func (a *API) For(measurement string) *API {
	other := *a
	other.measurement = measurement
	return &other
}

func (a *API) measurementPath() string {
	return fmt.Sprintf("/apis/%s/namespaces/%s/measurements/%s", v1beta1.GroupVersion, a.namespace, a.measurement)
}

// Measurement reads the measurement. It returns ErrSuperseded if the measurement is gone or at a later attempt.
func (a *API) Measurement(ctx context.Context) (*v1beta1.Measurement, error) {
	data, err := a.client.Get().AbsPath(a.measurementPath()).Do(ctx).Raw()
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("%w: measurement %s does not exist any more", ErrSuperseded, a.measurement)
	}
	if err != nil {
		return nil, fmt.Errorf("get measurement %s: %w", a.measurement, err)
	}
	var m v1beta1.Measurement
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

// longestMessage is the limit of a part's message in bytes. The load's container, which is not trusted, provides most of it.
const longestMessage = 8192

// WritePart writes the pod's own MeasurementPart, provided that the measurement is still at the pod's attempt. No other pod writes that object, so
// writes never conflict. Nothing is written for a finished measurement: the operator has recorded the parts and deleted their objects.
func (a *API) WritePart(ctx context.Context, part v1beta1.Part, companions ...v1beta1.CompanionPart) error {
	m, err := a.Measurement(ctx)
	if err != nil {
		return err
	}
	if m.Finished() {
		return nil
	}
	part.Index, part.Attempt = a.index, a.attempt
	part.Message = cut(part.Message, longestMessage)
	for i := range companions {
		companions[i].Part.Message = cut(companions[i].Part.Message, longestMessage)
	}
	return a.apply(ctx, a.partPath(), v1beta1.MeasurementPart{
		TypeMeta: metav1.TypeMeta{APIVersion: v1beta1.GroupVersion.String(), Kind: "MeasurementPart"},
		ObjectMeta: metav1.ObjectMeta{
			Name:            a.pod,
			Labels:          m.ObjectLabels(),
			OwnerReferences: []metav1.OwnerReference{ownedBy(m)},
		},
		Part:       part,
		Companions: companions,
	})
}

func (a *API) partPath() string {
	return fmt.Sprintf("/apis/%s/namespaces/%s/measurementparts/%s", v1beta1.GroupVersion, a.namespace, a.pod)
}

// ownedBy returns a reference that does not block the deletion of the measurement, which would require a permission on the measurement.
func ownedBy(m *v1beta1.Measurement) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: v1beta1.GroupVersion.String(), Kind: "Measurement", Name: m.Name, UID: m.UID}
}

// StoreLog stores one chunk of the pod's log. Its name is derived from its content, so storing it again changes nothing. A pod may create
// ConfigMaps, but neither read nor change them, because others, such as Helm's, are not its own. The chunk of a companion's log also
// belongs to the pod's own measurement and is named after it, since an admission policy can only check the name and owner against the pod.
func (a *API) StoreLog(ctx context.Context, own, of *v1beta1.Measurement, chunk int, data []byte) (name string, err error) {
	name = measure.LogName(own.Name, a.attempt, a.index, chunk, data)
	body := corev1.ConfigMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{
			Name:            name,
			Labels:          of.ObjectLabels(),
			OwnerReferences: []metav1.OwnerReference{ownedBy(own)},
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

// apply makes a server-side apply: it creates what is missing, and owns only what it sets.
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
