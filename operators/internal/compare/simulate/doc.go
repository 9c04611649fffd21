// Package simulate runs whole experiments on numbers from known distributions, by the product's order of servers, estimates, correction, A/A arm, stop
// rule and verdicts, and counts how often their conclusions are true. It has only tests.
package simulate
