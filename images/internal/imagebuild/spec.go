package imagebuild

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"sigs.k8s.io/yaml"
)

// specFile is the description of an image in its folder. A folder with this file is an image, so a further image needs no
// change of Go code.
const specFile = "image.yaml"

// Spec describes an image: its base, and what is added. Keys of the maps are paths in the image. stage.sh, if the folder
// has one, adds the files of a folder that becomes the image's root.
type Spec struct {
	// Base is the public base image. Empty: none.
	Base string `json:"base,omitempty"`
	// Files are files in the image's folder.
	Files map[string]string `json:"files,omitempty"`
	// Jars are modules of the Maven reactor in images/pom.xml. A path ends with the name of the module's jar.
	Jars map[string]string `json:"jars,omitempty"`
	// Programs are Go packages, relative to the repository's root. They are compiled for each platform.
	Programs map[string]string `json:"programs,omitempty"`
	// Waits marks a load of which several pods can start together: it adds an empty file /load.waits.
	Waits bool `json:"waits,omitempty"`
	// Proof is the path of the jar whose SHA-256 the proofs of a store contain.
	Proof string `json:"proof,omitempty"`
	// Native states that stage.sh adds programs that run only on the architecture of the machine that builds.
	Native bool `json:"native,omitempty"`
	// Apart leaves the image out of builds of all images, because its own takes long. It is built by name, and for experiments with it.
	Apart bool `json:"apart,omitempty"`

	User       string   `json:"user"`
	Entrypoint []string `json:"entrypoint"`
	Cmd        []string `json:"cmd,omitempty"`
	Ports      []string `json:"ports,omitempty"`
	Volumes    []string `json:"volumes,omitempty"`
}

// readSpec reads the description in an image's folder, and its text.
func readSpec(folder string) (Spec, []byte, error) {
	text, err := os.ReadFile(filepath.Join(folder, specFile))
	if err != nil {
		return Spec{}, nil, fmt.Errorf("read description: %w", err)
	}
	var spec Spec
	if err := yaml.UnmarshalStrict(text, &spec); err != nil {
		return Spec{}, nil, fmt.Errorf("read %s: %w", filepath.Join(folder, specFile), err)
	}
	if spec.User == "" || len(spec.Entrypoint) == 0 {
		return Spec{}, nil, fmt.Errorf("read %s: user or entrypoint is missing; add both", filepath.Join(folder, specFile))
	}
	for _, added := range []map[string]string{spec.Files, spec.Jars, spec.Programs} {
		for to := range added {
			if !path.IsAbs(to) || path.Clean(to) != to {
				return Spec{}, nil, fmt.Errorf("read %s: %q is no path in the image; use one like /opt/name", filepath.Join(folder, specFile), to)
			}
		}
	}
	if _, is := spec.Jars[spec.Proof]; spec.Proof != "" && !is {
		return Spec{}, nil, fmt.Errorf("read %s: proof is %s; use a path of jars", filepath.Join(folder, specFile), spec.Proof)
	}
	return spec, text, nil
}

// publicJava matches a public Java image, and with it the Java version.
var publicJava = regexp.MustCompile(`:([0-9]+)-jre$`)

// java returns the Java version of the base image; empty if it has none.
func (s Spec) java() string {
	if match := publicJava.FindStringSubmatch(s.Base); match != nil {
		return match[1]
	}
	return ""
}
