package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAJobThatBearsTheNameOfALoadsIsTheLoadsOwnOrInTheWay(t *testing.T) {
	measurement := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m", UID: "now"}}
	owned := func(kind, name string, uid types.UID) *batchv1.Job {
		owner := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: name, UID: uid}}
		return &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "m-a1", OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner, v1beta1.GroupVersion.WithKind(kind))}}}
	}
	assert.Empty(t, jobInTheWay(owned("Measurement", "m", "now"), measurement), "its own")
	assert.Empty(t, jobInTheWay(owned("Measurement", "m", "before"), measurement), "one of its name that was deleted: the garbage collector takes it away")
	going := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "m-a1", DeletionTimestamp: &metav1.Time{Time: noon}}}
	assert.Empty(t, jobInTheWay(going, measurement), "it goes away")
	for _, job := range []*batchv1.Job{{ObjectMeta: metav1.ObjectMeta{Name: "m-a1"}}, owned("CronJob", "m", "before"), owned("Measurement", "another", "before")} {
		assert.Equal(t, "start the load of measurement m: job m-a1 with the same name does not belong to Ringside; delete it, or give this run another name, and start a new run", jobInTheWay(job, measurement))
	}
}
