// Package charts packages the charts of a release and pushes them to a registry.
package charts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
	"helm.sh/helm/v4/pkg/chart/common"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

// Images are the images of a release, in the form of the values that ringside-images prints for charts/ringside.
type Images struct {
	Image struct {
		Registry string `json:"registry"`
		Tag      string `json:"tag"`
	} `json:"image"`
	Images struct {
		Digests map[string]Image `json:"digests"`
	} `json:"images"`
}

// Image is an image that was built.
type Image struct {
	Tag string `json:"tag"`
	// Digests are those under which nodes may report the image. The first is that to which the tag refers.
	Digests []string `json:"image"`
	Plugin  string   `json:"plugin,omitempty"`
}

// ReadImages reads a file that ringside-images wrote.
func ReadImages(path string) (Images, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Images{}, fmt.Errorf("read the images of the release: %w", err)
	}
	var images Images
	if err := json.Unmarshal(text, &images); err != nil {
		return Images{}, fmt.Errorf("read the images of the release from %s: %w", path, err)
	}
	if images.Image.Registry == "" || len(images.Images.Digests) == 0 {
		return Images{}, fmt.Errorf("read the images of the release from %s: it names none; write it with ringside-images values operator", path)
	}
	return images, nil
}

// References returns the images by digest, as they are signed.
func (i Images) References() ([]string, error) {
	var references []string
	for name, image := range i.Images.Digests {
		if len(image.Digests) == 0 {
			return nil, fmt.Errorf("sign image %s: its digest is unknown; build it again", name)
		}
		references = append(references, fmt.Sprintf("%s/ringside-%s@%s", i.Image.Registry, name, image.Digests[0]))
	}
	return references, nil
}

// Release is what the charts of a release have in common.
type Release struct {
	Version string
	Images  Images
	// Time is that of the commit. Files have it, so that two packages of a commit are equal.
	Time time.Time
}

// What the charts of the repository have in place of the images of a release.
const (
	localRegistry = "ringside.local"
	localTag      = "dev"
)

// Package writes the archive of the chart in a folder, with the version and the images of the release, and returns its path.
func Package(folder, into string, release Release) (string, error) {
	chart, err := loader.Load(folder)
	if err != nil {
		return "", fmt.Errorf("read chart %s: %w", folder, err)
	}
	if err := stamp(chart, release); err != nil {
		return "", fmt.Errorf("package chart %s: %w", chart.Name(), err)
	}
	path, err := chartutil.Save(chart, into)
	if err != nil {
		return "", fmt.Errorf("package chart %s: %w", chart.Name(), err)
	}
	return path, nil
}

func stamp(chart *chartv2.Chart, release Release) error {
	meta := chart.Metadata
	if meta.AppVersion == meta.Version {
		meta.AppVersion = release.Version
	}
	meta.Version = release.Version
	version, err := semver.StrictNewVersion(release.Version)
	if err != nil {
		return fmt.Errorf("version %q: %w", release.Version, err)
	}
	if version.Prerelease() != "" {
		meta.Annotations["artifacthub.io/prerelease"] = "true"
	}
	image, err := imageOf(chart.Name(), meta, release.Images)
	if err != nil {
		return err
	}
	if image != nil {
		if err := name(chart, *image, release.Images); err != nil {
			return err
		}
	}
	chart.StampModTimes(release.Time.UTC())
	return nil
}

// imageOf returns the image of ours that a chart runs, or nil: stores run the image of their name, and the chart of the operator that of the operator.
func imageOf(chart string, meta *chartv2.Metadata, images Images) (*Image, error) {
	name := chart
	switch {
	case chart == "ringside":
		name = "operator"
	case meta.Annotations["ringside.dev/kind"] != "store":
		return nil, nil
	}
	image, found := images.Images.Digests[name]
	if !found {
		return nil, fmt.Errorf("image %s was not built; build all images", name)
	}
	return &image, nil
}

// name sets the registry, the tag and, for the operator, the digests in the chart's values, and names the image to catalogues.
func name(chart *chartv2.Chart, image Image, images Images) error {
	replacements := [][2]string{{"\n  registry: " + localRegistry + "\n", "\n  registry: " + images.Image.Registry + "\n"}, {"\n  tag: " + localTag + "\n", "\n  tag: " + image.Tag + "\n"}}
	if chart.Name() == "ringside" {
		digests, err := json.Marshal(images.Images.Digests)
		if err != nil {
			return fmt.Errorf("encode the digests of the images: %w", err)
		}
		replacements = append(replacements, [2]string{"\n  digests: {}\n", "\n  digests: " + string(digests) + "\n"})
	}
	values, err := valuesOf(chart)
	if err != nil {
		return err
	}
	text := string(values.Data)
	for _, replacement := range replacements {
		if count := strings.Count(text, replacement[0]); count != 1 {
			return fmt.Errorf("values.yaml has the line %q %d times, not once; correct the chart, or what the release replaces", strings.TrimSpace(replacement[0]), count)
		}
		text = strings.Replace(text, replacement[0], replacement[1], 1)
	}
	values.Data = []byte(text)
	const annotation = "artifacthub.io/images"
	own := chart.Metadata.Annotations[annotation]
	named := strings.ReplaceAll(strings.ReplaceAll(own, localRegistry+"/", images.Image.Registry+"/"), ":"+localTag, ":"+image.Tag)
	if named == own {
		return fmt.Errorf("annotation %s of Chart.yaml names no image of %s; add it", annotation, localRegistry)
	}
	chart.Metadata.Annotations[annotation] = named
	return nil
}

func valuesOf(chart *chartv2.Chart) (*common.File, error) {
	for _, file := range chart.Raw {
		if file.Name == chartutil.ValuesfileName {
			return file, nil
		}
	}
	return nil, fmt.Errorf("it has no %s; add it", chartutil.ValuesfileName)
}

// Folders returns the folders of all charts below a folder, without libraries, which are packaged within the charts that use them.
func Folders(root string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(root, "*", "Chart.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("look for charts in %s: there are none (%v); run this in the repository", root, err)
	}
	var folders []string
	for _, file := range files {
		meta, err := chartutil.LoadChartfile(file)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		if meta.Type != "library" {
			folders = append(folders, filepath.Dir(file))
		}
	}
	return folders, nil
}
