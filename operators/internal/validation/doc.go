// Package validation rejects experiments that cannot be run, before anything is started. Check makes the checks that need no cluster, with the
// same messages for the command line and the operator. Accept adds those of the operator. They read charts and are otherwise pure.
package validation
