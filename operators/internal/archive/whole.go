package archive

import (
	"bytes"
	"encoding/csv"
	"fmt"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Lacks describes what an export lacks of the run; empty if it is complete. It reads only the table and the
// Experiment's manifest. Verify compares every file with its digest.
func (f Folder) Lacks() string { return lacks(folderFiles(f.Path)) }

func lacks(source files) string {
	rows := countRows(source)
	var e v1beta1.Experiment
	if err := readManifest(source, ExperimentFile, "Experiment", &e); err == nil && rows < int(e.Status.Finished) {
		return fmt.Sprintf("the export has %d of %d finished measurements", rows, e.Status.Finished)
	}
	if !has(source, DigestsFile) {
		return "the export is incomplete: there is no " + DigestsFile
	}
	return ""
}

// Rows returns the number of measurements in the table.
func (f Folder) Rows() int { return countRows(folderFiles(f.Path)) }

// countRows returns the number of rows of the table, whatever their columns: these depend on the ringside version that
// wrote it.
func countRows(source files) int {
	text, err := source.read(MeasurementsFile)
	if err != nil {
		return 0
	}
	reader := csv.NewReader(bytes.NewReader(text))
	reader.FieldsPerRecord, reader.ReuseRecord = -1, true
	rows := -1 // the header
	for {
		if _, err := reader.Read(); err != nil { // the end of the file, or damage
			return max(rows, 0)
		}
		rows++
	}
}

func has(source files, name string) bool {
	_, err := source.read(name)
	return err == nil
}
