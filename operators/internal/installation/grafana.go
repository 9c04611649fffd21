package installation

import (
	"context"
	"errors"

	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
)

// Image is an image as the chart of monitoring has it.
type Image struct{ Registry, Repository, Tag string }

// Reference returns the image's name on nodes.
func (i Image) Reference() string {
	if i.Registry == "" {
		return i.Repository + ":" + i.Tag
	}
	return i.Registry + "/" + i.Repository + ":" + i.Tag
}

// GrafanaValues returns the values of monitoring with which Grafana runs from an image.
func GrafanaValues(image Image) Values {
	return Values{"grafana": Values{"enabled": true, "image": Values{"registry": image.Registry, "repository": image.Repository, "tag": image.Tag, "digest": ""}}}
}

// AbsentError is why there is no Grafana to open.
type AbsentError struct{ Why string }

func (a *AbsentError) Error() string { return a.Why }

// GrafanaState reports whether an installed monitoring runs Grafana, and the image that it runs or would run. It returns
// an *AbsentError if monitoring cannot run Grafana.
func (i *Installer) GrafanaState(namespace string) (enabled bool, image Image, err error) {
	last, _, all, err := i.monitoring(namespace)
	if err != nil {
		return false, Image{}, err
	}
	if last == nil {
		return false, Image{}, &AbsentError{"monitoring is not installed; run: make install"}
	}
	if At(all, "prometheusOperator", "enabled") == true {
		return false, Image{}, &AbsentError{"the cluster's own Grafana shows Ringside's dashboards, because it has a Prometheus Operator; open that, or run: make install MONITORING=own"}
	}
	text := func(field string) string { value, _ := At(all, "grafana", "image", field).(string); return value }
	return At(all, "grafana", "enabled") == true, Image{text("registry"), text("repository"), text("tag")}, nil
}

// EnableGrafana changes nothing of the installed monitoring but that Grafana runs from the image, and waits until it is ready.
func (i *Installer) EnableGrafana(ctx context.Context, namespace string, image Image) error {
	last, next, _, err := i.monitoring(namespace)
	if err != nil {
		return err
	}
	if last == nil {
		return errors.New("enable Grafana: monitoring is not installed; run: make install")
	}
	next.values = Overlay(next.values, GrafanaValues(image))
	return i.run(ctx, next)
}

// monitoring returns the installed release, an upgrade that changes nothing, and the values in effect.
func (i *Installer) monitoring(namespace string) (last *chartv2.Chart, same *upgrade, all Values, err error) {
	configuration, err := i.Helm(namespace)
	if err != nil {
		return nil, nil, nil, err
	}
	h := helm{configuration, MonitoringRelease, namespace}
	found, err := h.last()
	if err != nil || found == nil || found.Chart == nil {
		return nil, nil, nil, err
	}
	live, ours, err := h.state(found)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err = effective(found.Chart, live)
	if err != nil {
		return nil, nil, nil, err
	}
	part := Part{Release: MonitoringRelease, Namespace: namespace, Chart: found.Chart.Name()}
	return found.Chart, &upgrade{part: part, helm: h, last: found, chart: found.Chart, values: live, own: ours}, all, nil
}
