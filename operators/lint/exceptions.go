package main

// exception is a kind of findings that stay.
type exception struct {
	linter string
	// about is what a finding's message contains; empty for all findings of the linter.
	about string
	// why is the reason, for readers.
	why string
}

var exceptions = []exception{
	{"errname", "`Problem`", "problem.Problem has the name that its messages use, in 190 places"},

	{"commentstart", "should start with", "comments begin with Go names, as in all other code; the reference page has the JSON names"},
	{"commentstart", "is missing godoc comment", "fields that belong together share a comment, as Sent and Acknowledged do"},
	{"optionalorrequired", "field Point.", "no part of a custom resource"},
	{"jsontags", "field Point.", "no part of a custom resource"},
	{"nophase", "Phase", "a phase is a piece of load here, not a state"},

	// These need another version of the API.
	{"optionalfields", "should be a pointer", "v1beta1: absent and zero become different, and the Go types change"},
	{"optionalfields", "omitempty", "v1beta1: part.operations and part.errors are written even when they are 0"},
	{"requiredfields", "", "v1beta1: required fields are written even when they are zero"},
	{"defaults", "has a default value", "v1beta1: these fields are required and have defaults, so archives always have them"},
	{"optionalorrequired", "", "v1beta1: the fields with defaults, see above"},
	{"nodurations", "", "v1beta1: durations become integers with a unit in their names"},
	{"nomaps", "", "v1beta1: maps become lists with keys"},
	{"noreferences", "LoadImage.Reference", "v1beta1: it is an image reference, and gets the name image"},
}
