package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
)

// policy is what a browser may do with the page, as the attribute of a meta element: draw it, and run our script where there is one. What
// stands in the page comes out of a run, or of a bundle that somebody sent. It is escaped; were it not, nothing of it would be run or fetched.
// Styles stand at the drawings' elements; an icon that is empty keeps browsers from asking a server for one.
func policy(script string) template.HTMLAttr {
	scripts := "'none'"
	if script != "" {
		sum := sha256.Sum256([]byte(script))
		scripts = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return template.HTMLAttr(fmt.Sprintf( // no byte of it comes from the run
		`content="default-src 'none'; script-src %s; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"`, scripts))
}
