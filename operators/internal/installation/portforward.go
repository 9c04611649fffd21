package installation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/kubectl/pkg/util"
	"k8s.io/kubectl/pkg/util/podutils"
	"k8s.io/streaming/pkg/httpstream"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// forwardAddress is the only one that is listened on: the services have no login.
const forwardAddress = "127.0.0.1"

// Listen reports whether the local port can be listened on. Port 0 is any free one.
func Listen(port int) error {
	listener, err := net.Listen("tcp", net.JoinHostPort(forwardAddress, strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("listen on %s:%d: %w; choose another port with PORT=<port>", forwardAddress, port, cause(err))
	}
	return listener.Close()
}

func cause(err error) error {
	if inner := (*net.OpError)(nil); errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// ForwardTarget is a port of a pod.
type ForwardTarget struct {
	Namespace, Pod string
	Port           int32
}

// FindTarget returns the first port of a ready pod of a Service, as kubectl chooses it.
func FindTarget(ctx context.Context, c client.Client, namespace, service string) (ForwardTarget, error) {
	var found corev1.Service
	if err := c.Get(ctx, client.ObjectKey{Namespace: namespace, Name: service}, &found); err != nil {
		return ForwardTarget{}, err
	}
	var pods corev1.PodList
	if err := c.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels(found.Spec.Selector)); err != nil {
		return ForwardTarget{}, fmt.Errorf("read the pods of Service %s: %w", service, err)
	}
	for at := range pods.Items {
		if pod := pods.Items[at]; podutils.IsPodReady(&pod) && pod.DeletionTimestamp.IsZero() && len(found.Spec.Ports) > 0 {
			port, err := util.LookupContainerPortNumberByServicePort(found, pod, found.Spec.Ports[0].Port)
			return ForwardTarget{namespace, pod.Name, port}, err
		}
	}
	return ForwardTarget{}, fmt.Errorf("no pod of Service %s is ready; see: kubectl -n %s get pods,events", service, namespace)
}

// Forward forwards the local port until the context ends, which is no error. It calls begun once connections are accepted.
func Forward(ctx context.Context, config *rest.Config, target ForwardTarget, port int, begun func(address string)) error {
	dialer, err := dialer(config, target)
	if err != nil {
		return err
	}
	stop, accepting := make(chan struct{}), make(chan struct{})
	forwarder, err := portforward.NewOnAddressesForStreaming(dialer, []string{forwardAddress}, []string{fmt.Sprintf("%d:%d", port, target.Port)}, stop, accepting, io.Discard, io.Discard)
	if err != nil {
		return fmt.Errorf("forward to pod %s: %w", target.Pod, err)
	}
	done := make(chan error, 1)
	go func() { done <- forwarder.ForwardPorts() }()
	for {
		select {
		case <-accepting:
			ports, err := forwarder.GetPorts()
			if err != nil {
				return fmt.Errorf("forward to pod %s: %w", target.Pod, err)
			}
			begun(net.JoinHostPort(forwardAddress, strconv.Itoa(int(ports[0].Local))))
			accepting = nil
		case <-ctx.Done():
			close(stop)
			<-done
			return nil
		case err := <-done:
			return fmt.Errorf("forward to pod %s: %w", target.Pod, err)
		}
	}
}

// dialer connects over WebSocket, and over SPDY where the API server or a proxy does not support that.
func dialer(config *rest.Config, target ForwardTarget) (httpstream.Dialer, error) {
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make a client for %s: %w", config.Host, err)
	}
	url := c.CoreV1().RESTClient().Post().Resource("pods").Namespace(target.Namespace).Name(target.Pod).SubResource("portforward").URL()
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		return nil, fmt.Errorf("forward to pod %s: %w", target.Pod, err)
	}
	older := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, http.MethodPost, url)
	newer, err := portforward.NewSPDYOverWebsocketDialerForStreaming(url, config)
	if err != nil {
		return nil, fmt.Errorf("forward to pod %s: %w", target.Pod, err)
	}
	return portforward.NewFallbackDialerForStreaming(newer, older, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	}), nil
}
