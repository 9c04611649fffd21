package reference

const apiTypes = "operators/api/v1beta1/"

// conditions documents the condition types and reasons of the custom resources.
func conditions(root string) (*page, error) {
	experiment, err := constantsOf(root, apiTypes+"experiment_types.go")
	if err != nil {
		return nil, err
	}
	measurement, err := constantsOf(root, apiTypes+"measurement_types.go")
	if err != nil {
		return nil, err
	}
	reasons, err := constantsOf(root, apiTypes+"reason_types.go")
	if err != nil {
		return nil, err
	}
	p := newPage("Conditions and reasons", "`operators/api/v1beta1`")
	p.paragraph("`kubectl describe` shows them with a message. `kubectl wait --for=condition=Succeeded experiment/<experiment>-<run>` waits for the end of a run that does not fail: a failed run has it False, with the reason.\n" +
		"[Troubleshooting](../troubleshooting.md) names causes and fixes of failed runs.")
	meaning := []string{"Name", "Meaning"}
	p.heading(2, "Conditions of an Experiment")
	p.table(meaning, constantRows(named(experiment, "Condition"), experiment))
	p.heading(2, "Reasons of an Experiment's conditions")
	p.table(meaning, constantRows(named(experiment, "Reason"), experiment))
	p.heading(2, "Reasons of refused experiments")
	p.paragraph("The condition Accepted of a refused run has one of them: that of the first problem. `ringside` prints it at the end of each line, in brackets.")
	p.table(meaning, constantRows(named(reasons, "Refused"), reasons))
	p.heading(2, "Conditions of a Measurement")
	p.table(meaning, constantRows(named(measurement, "Condition"), measurement))
	p.heading(2, "Reasons of a Measurement's conditions")
	p.paragraph("A measurement that is not Valid has there the [reason of a gate](gates.md#reasons), or `NoResult`.")
	p.table(meaning, constantRows(named(measurement, "Reason"), measurement))
	p.heading(2, "Reasons of failed attempts")
	p.paragraph("`status.failures` of a Measurement lists the attempts that gave no result.")
	p.table(meaning, constantRows(named(measurement, "Failure"), measurement))
	return p, nil
}
