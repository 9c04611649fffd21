package installation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"helm.sh/helm/v4/pkg/action"
	chartutil "helm.sh/helm/v4/pkg/chart/common/util"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/kube"
	"helm.sh/helm/v4/pkg/release/common"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	"helm.sh/helm/v4/pkg/storage/driver"
)

const (
	// annotationOwn of a release's chart holds the values that Ringside set itself. Helm keeps the chart with each revision,
	// so a rollback restores them with the values.
	annotationOwn = "ringside.dev/installed-values"
	// hookTimeout bounds the charts' hooks. Readiness is awaited after Helm has finished.
	hookTimeout = 2 * time.Minute
	// history is the number of revisions that stay, as with the helm command.
	history = 10
)

// helm installs one release.
type helm struct {
	configuration *action.Configuration
	name          string
	namespace     string
}

// last returns the last revision of the release; nil if it is not installed.
func (h helm) last() (*releasev1.Release, error) {
	found, err := h.configuration.Releases.Last(h.name)
	if errors.Is(err, driver.ErrReleaseNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read release %s in namespace %s: %w", h.name, h.namespace, err)
	}
	last, is := found.(*releasev1.Release)
	if !is {
		return nil, fmt.Errorf("read release %s in namespace %s: unknown format %T; install it again with the Helm that installed it", h.name, h.namespace, found)
	}
	return last, nil
}

// state returns the values of the release, and those of them that Ringside set itself.
func (h helm) state(last *releasev1.Release) (live, ours Values, err error) {
	if last == nil || last.Info.Status == common.StatusUninstalled {
		return nil, nil, nil
	}
	if live, err = normal(last.Config); err != nil {
		return nil, nil, err
	}
	ours, err = h.ours()
	return live, ours, err
}

// ours returns the values that Ringside set itself when it last installed the release. Revisions of other tools do not have
// them.
func (h helm) ours() (Values, error) {
	all, err := h.configuration.Releases.History(h.name)
	if err != nil {
		return nil, fmt.Errorf("read the history of release %s in namespace %s: %w", h.name, h.namespace, err)
	}
	newest, text := 0, ""
	for _, found := range all {
		revision, is := found.(*releasev1.Release)
		if !is || revision.Chart == nil || revision.Chart.Metadata == nil || revision.Version < newest {
			continue
		}
		if own := revision.Chart.Metadata.Annotations[annotationOwn]; own != "" {
			newest, text = revision.Version, own
		}
	}
	if text == "" {
		return nil, nil
	}
	var ours Values
	if err := json.Unmarshal([]byte(text), &ours); err != nil {
		return nil, fmt.Errorf("read the annotation %s of release %s: %w", annotationOwn, h.name, err)
	}
	return ours, nil
}

// apply installs the release, or upgrades it, and returns the new revision. It does not wait for readiness.
func (h helm) apply(ctx context.Context, last *releasev1.Release, chart *chartv2.Chart, values, own Values) (*releasev1.Release, error) {
	if err := record(chart, own); err != nil {
		return nil, err
	}
	if last != nil && last.Info.Status.IsPending() {
		return nil, fmt.Errorf("revision %d of release %s has been %s since %s: another installation is under way, or one was killed; if none is under way: kubectl -n %s delete secret sh.helm.release.v1.%s.v%d",
			last.Version, h.name, last.Info.Status, last.Info.LastDeployed.Format(time.DateTime), h.namespace, h.name, last.Version)
	}
	var applied any
	var err error
	if last == nil || last.Info.Status == common.StatusUninstalled {
		install := action.NewInstall(h.configuration)
		install.ReleaseName, install.Namespace = h.name, h.namespace
		install.Replace = last != nil
		install.WaitStrategy, install.Timeout = kube.HookOnlyStrategy, hookTimeout
		applied, err = install.RunWithContext(ctx, chart, values)
	} else {
		upgrade := action.NewUpgrade(h.configuration)
		upgrade.Namespace = h.namespace
		upgrade.ResetValues = true // values are complete
		upgrade.MaxHistory = history
		upgrade.WaitStrategy, upgrade.Timeout = kube.HookOnlyStrategy, hookTimeout
		applied, err = upgrade.RunWithContext(ctx, h.name, chart, values)
	}
	if err != nil {
		return nil, err
	}
	release, is := applied.(*releasev1.Release)
	if !is {
		return nil, fmt.Errorf("unexpected release type %T", applied)
	}
	return release, nil
}

func record(chart *chartv2.Chart, own Values) error {
	text, err := json.Marshal(own)
	if err != nil {
		return fmt.Errorf("encode Ringside's own values: %w", err)
	}
	if chart.Metadata.Annotations == nil {
		chart.Metadata.Annotations = map[string]string{}
	}
	chart.Metadata.Annotations[annotationOwn] = string(text)
	return nil
}

// effective returns the values with which a chart is rendered: its own, with others over them. It returns an error if
// they do not fit the chart's schema.
func effective(chart *chartv2.Chart, values Values) (Values, error) {
	all, err := chartutil.CoalesceValues(chart, values)
	if err != nil {
		return nil, fmt.Errorf("merge values with those of the chart: %w", err)
	}
	if err := chartutil.ValidateAgainstSchema(chart, all); err != nil {
		return nil, fmt.Errorf("values do not fit the chart: %w", err)
	}
	return normal(all)
}
