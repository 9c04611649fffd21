package controller

import (
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/plan"
)

// action is what one Reconcile does.
type action string

const (
	doNothing          action = "do nothing"
	addFinalizer       action = "add the finalizer"
	acceptSpec         action = "check the spec"
	recordSpec         action = "record the spec of an older operator's run"
	takeMachine        action = "take the machine"
	wait               action = "wait"
	recordStore        action = "record the store to install"
	installStore       action = "install the store"
	clearRemains       action = "clear remains of an interrupted installation"
	proveStore         action = "read the store's proofs"
	createMeasurement  action = "create the measurement"
	beginAttempt       action = "begin an attempt"
	createJob          action = "create the load's job"
	announceStart      action = "announce the start"
	collectResult      action = "collect the result"
	giveUpAttempt      action = "give up the attempt"
	removeStore        action = "remove the store"
	stopLoad           action = "stop the load"
	failExperiment     action = "fail the experiment"
	finishExperiment   action = "finish the experiment"
	dropFinalizer      action = "drop the finalizer"
	awaitStoreReturned action = "wait for the store to answer again"
)

// step is an action with what it needs.
type step struct {
	action action
	// reason and message go into conditions.
	reason  string
	message string
	// current is the status line for people.
	current string
	// after this long the step is decided anew even if nothing happens.
	after time.Duration
	// store and cell the step is about.
	store plan.Store
	cell  plan.Cell
	// failure of the attempt to give up, and whether another attempt may help.
	failure   v1alpha1.FailureReason
	hopeless  bool
	crashedIn crashed
}

// crashed names a container whose last words belong into the message.
type crashed struct {
	pod       string
	container string
}
