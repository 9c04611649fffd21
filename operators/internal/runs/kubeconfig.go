package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// fixKubeconfig is the fix for a kubeconfig that exists but cannot be used.
const fixKubeconfig = "fix it, or choose another by KUBECONFIG or --kubeconfig"

var (
	// configFile matches the file that could not be read, and the reason.
	configFile = regexp.MustCompile(`(?s)^error loading config file "([^"]*)": (.*)$`)
	// goField matches the field of a kubeconfig in an error of Go's decoder.
	goField = regexp.MustCompile(`Go struct field [A-Za-z]+\.([A-Za-z.-]+) of type`)
	// yamlLine matches an error of the YAML parser.
	yamlLine = regexp.MustCompile(`^(?:error converting YAML to JSON: )?yaml: (.*)$`)
)

// unusable describes in one line what is wrong with a kubeconfig. The decoder's own messages name Go types.
func unusable(err error) error {
	if missing := (*fs.PathError)(nil); errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist) {
		return unavailable(fmt.Sprintf("no cluster is configured (there is no file %s)", missing.Path), fixCluster)
	}
	found := configFile.FindStringSubmatch(err.Error())
	if found == nil {
		return unavailable("no cluster is configured ("+textfmt.FirstLine(err)+")", fixCluster)
	}
	why := "it is another kind of file"
	if field := goField.FindStringSubmatch(found[2]); field != nil {
		why = field[1] + " has another type than in a kubeconfig"
	} else if line := yamlLine.FindStringSubmatch(found[2]); line != nil {
		why = "it is not valid YAML: " + textfmt.FirstLine(errors.New(line[1]))
	}
	return unavailable(fmt.Sprintf("%s is not a kubeconfig (%s)", found[1], why), fixKubeconfig)
}

// unusableFor explains why no client can be made from a kubeconfig that was read.
func unusableFor(host string, err error) error {
	return unavailable("the kubeconfig's user or cluster for "+host+" cannot be used ("+textfmt.FirstLine(err)+")", fixKubeconfig)
}
