package prose

import (
	"fmt"
	"regexp"
	"strings"
)

// end matches the end of a sentence, and a colon or semicolon, where a reader pauses.
var end = regexp.MustCompile(`[.!?;:]["')\]]*\s`)

// Long returns the sentences of more words than most.
func Long(text Text, most int) []Finding {
	var findings []Finding
	read := text.Text + "\n"
	ends := append(end.FindAllStringIndex(read, -1), []int{0, len(read)})
	start := 0
	for _, at := range ends {
		if words := strings.Fields(read[start:at[1]]); len(words) > most {
			findings = append(findings, Finding{
				Line:  text.Line + strings.Count(read[:start], "\n"),
				Found: strings.Join(words[:min(6, len(words))], " ") + " …",
				Write: fmt.Sprintf("at most %d words in a sentence; these are %d", most, len(words)),
			})
		}
		start = at[1]
	}
	return findings
}
