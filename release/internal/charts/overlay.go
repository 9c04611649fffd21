package charts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

// Overlay writes the files that a release changes in the charts of some folders into another folder, and returns the content of the file for
// go build -overlay, by which the command of the release embeds them. Without it the command would install images that exist nowhere.
func Overlay(folders []string, into string, release Release) ([]byte, error) {
	replaced := map[string]string{}
	for _, folder := range folders {
		chart, err := loader.Load(folder)
		if err != nil {
			return nil, fmt.Errorf("read chart %s: %w", folder, err)
		}
		if err := stamp(chart, release); err != nil {
			return nil, fmt.Errorf("stamp chart %s: %w", chart.Name(), err)
		}
		written, err := unpack(chart, filepath.Join(into, chart.Name()))
		if err != nil {
			return nil, fmt.Errorf("write the files of chart %s: %w", chart.Name(), err)
		}
		for name, path := range written {
			source, err := filepath.Abs(filepath.Join(folder, name))
			if err != nil {
				return nil, fmt.Errorf("find %s of chart %s: %w", name, chart.Name(), err)
			}
			replaced[source] = path
		}
	}
	return json.Marshal(map[string]any{"Replace": replaced})
}

// unpack writes the two files that stamp changes, and returns the path of each.
func unpack(chart *chartv2.Chart, folder string) (map[string]string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	values, err := valuesOf(chart)
	if err != nil {
		return nil, err
	}
	written := map[string]string{
		chartutil.ChartfileName:  filepath.Join(folder, chartutil.ChartfileName),
		chartutil.ValuesfileName: filepath.Join(folder, chartutil.ValuesfileName),
	}
	if err := chartutil.SaveChartfile(written[chartutil.ChartfileName], chart.Metadata); err != nil {
		return nil, err
	}
	return written, os.WriteFile(written[chartutil.ValuesfileName], values.Data, 0o644)
}
