package report

import (
	"regexp"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// frameKind is the kind of a frame, by which it is coloured.
type frameKind int

// Kinds of frames. groupFrame is the thread group that every stack begins with.
const (
	groupFrame frameKind = iota
	javaFrame
	nativeFrame
	kernelFrame
)

// compiled marks how a Java frame was run, which is no other frame. (Of what was allocated or waited for it marks the type.)
var compiled = regexp.MustCompile(`_\[[ij01]\]$`)

// kernelMark ends the name of a kernel's function; in a profile of allocations that of a type.
const kernelMark = "_[k]"

// made are the names that a JVM makes up as it goes, and that no two processes share.
var made = regexp.MustCompile(`[./+]0x[0-9a-f]+|(\$\$Lambda)[$/][0-9]+|(GeneratedMethodAccessor|GeneratedConstructorAccessor)[0-9]+`)

// java is package/Class.method or package.Class.method, and a type alone.
var java = regexp.MustCompile(`^[\p{L}\p{N}_$/.-]+[./][\p{L}\p{N}_$<>]+(\[\])*$`)

// frameOf a name as a profiler writes it: what people read, and its kind.
func frameOf(name string, event v1beta1.ProfileEvent) (string, frameKind) {
	ofTime := event == v1beta1.ProfileCPU || event == v1beta1.ProfileWall
	switch plain := compiled.ReplaceAllString(name, ""); {
	case plain != name:
		return made.ReplaceAllString(plain, "$1$2"), javaFrame
	case strings.HasSuffix(name, kernelMark) && ofTime:
		return strings.TrimSuffix(name, kernelMark), kernelFrame
	case strings.HasSuffix(name, kernelMark):
		return strings.TrimSuffix(name, kernelMark), javaFrame
	}
	name = made.ReplaceAllString(name, "$1$2")
	if strings.Contains(name, "::") || strings.Contains(name, ".so") || !java.MatchString(name) {
		return name, nativeFrame
	}
	return name, javaFrame
}
