package provisioner

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	storage "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v13/controller"

	"ringside.dev/ringside/cluster/internal/node"
)

// newLocal returns a provisioner and the directory of the volumes of node1.
func newLocal(t *testing.T) (Local, string) {
	t.Helper()
	machines := t.TempDir()
	volumes := node.VolumesOnHost(filepath.Join(machines, "node1"))
	require.NoError(t, os.MkdirAll(volumes, 0o755))
	return Local{Machines: machines}, volumes
}

func options(nodeName string) controller.ProvisionOptions {
	policy := core.PersistentVolumeReclaimDelete
	return controller.ProvisionOptions{
		StorageClass:     &storage.StorageClass{ReclaimPolicy: &policy},
		PVName:           "pvc-1",
		SelectedNodeName: nodeName,
		PVC: &core.PersistentVolumeClaim{Spec: core.PersistentVolumeClaimSpec{
			AccessModes: []core.PersistentVolumeAccessMode{core.ReadWriteOnce},
			Resources:   core.VolumeResourceRequirements{Requests: core.ResourceList{core.ResourceStorage: resource.MustParse("5Gi")}},
		}},
	}
}

func TestMakesAnEmptyDirectoryOnTheChosenNodeAndRemovesIt(t *testing.T) {
	local, volumes := newLocal(t)
	dir := filepath.Join(volumes, "pvc-1")
	require.NoError(t, os.Mkdir(dir, 0o755)) // left by a failed attempt
	require.NoError(t, os.WriteFile(filepath.Join(dir, "old"), nil, 0o600))

	pv, state, err := local.Provision(t.Context(), options("node1"))

	require.NoError(t, err)
	assert.Equal(t, controller.ProvisioningFinished, state)
	assert.Equal(t, "/var/lib/ringside/volumes/pvc-1", pv.Spec.Local.Path)
	assert.Equal(t, []string{"node1"}, pv.Spec.NodeAffinity.Required.NodeSelectorTerms[0].MatchExpressions[0].Values)
	assert.Equal(t, "5Gi", pv.Spec.Capacity.Storage().String())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())

	require.NoError(t, os.WriteFile(filepath.Join(dir, "data"), nil, 0o600))
	require.NoError(t, local.Delete(t.Context(), pv))
	assert.NoDirExists(t, dir)
	assert.NoError(t, local.Delete(t.Context(), pv), "again does no harm")
}

func TestMakesAnImageOfTheSizeThatWasClaimedWhereTheClassSaysSo(t *testing.T) {
	if _, err := exec.LookPath("mkfs.ext4"); err != nil {
		t.Skip("nothing makes an ext4")
	}
	local, volumes := newLocal(t)
	opts := options("node1")
	opts.StorageClass.Parameters = map[string]string{"kind": "image"}

	pv, _, err := local.Provision(t.Context(), opts)

	require.NoError(t, err)
	assert.Equal(t, "ringside.dev/image", pv.Spec.FlexVolume.Driver)
	assert.Nil(t, pv.Spec.Local)
	assert.Equal(t, []string{"node1"}, pv.Spec.NodeAffinity.Required.NodeSelectorTerms[0].MatchExpressions[0].Values)
	image, err := os.Stat(filepath.Join(volumes, "pvc-1", "image"))
	require.NoError(t, err)
	assert.EqualValues(t, 5<<30, image.Size())
	require.NoError(t, local.Delete(t.Context(), pv))
	assert.NoDirExists(t, filepath.Join(volumes, "pvc-1"))
}

func TestRefusesWhatALocalDirectoryCannotBe(t *testing.T) {
	local, _ := newLocal(t)
	for _, test := range []struct {
		name   string
		change func(*controller.ProvisionOptions)
		state  controller.ProvisioningState
		says   string
	}{
		{"no node", func(o *controller.ProvisionOptions) { o.SelectedNodeName = "" }, controller.ProvisioningFinished, "WaitForFirstConsumer"},
		{"unknown node", func(o *controller.ProvisionOptions) { o.SelectedNodeName = "node9" }, controller.ProvisioningReschedule, "node9 has no volume directory"},
		{"another kind", func(o *controller.ProvisionOptions) {
			o.StorageClass.Parameters = map[string]string{"kind": "tape"}
		}, controller.ProvisioningFinished, `kind "tape": it may be "image", or not be set`},
		{"block device", func(o *controller.ProvisionOptions) {
			block := core.PersistentVolumeBlock
			o.PVC.Spec.VolumeMode = &block
		}, controller.ProvisioningFinished, "volume mode Block is not supported"},
		{"shared by nodes", func(o *controller.ProvisionOptions) {
			o.PVC.Spec.AccessModes = []core.PersistentVolumeAccessMode{core.ReadWriteMany}
		}, controller.ProvisioningFinished, "access mode ReadWriteMany is not supported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := options("node1")
			test.change(&opts)
			_, state, err := local.Provision(t.Context(), opts)
			assert.ErrorContains(t, err, test.says)
			assert.Equal(t, test.state, state)
		})
	}
}

func TestRemovesOnlyWhatIsItsOwn(t *testing.T) {
	local, volumes := newLocal(t)
	kept := filepath.Join(filepath.Dir(volumes), "kept")
	require.NoError(t, os.Mkdir(kept, 0o755))
	pv, _, err := local.Provision(t.Context(), options("node1"))
	require.NoError(t, err)

	pv.Spec.Local.Path = kept // an edited path is ignored
	require.NoError(t, local.Delete(t.Context(), pv))
	assert.DirExists(t, kept)

	pv.Name = "../kept" // a name that leads out of the directory is rejected
	assert.ErrorContains(t, local.Delete(t.Context(), pv), "not a plain name")
	assert.DirExists(t, kept)

	pv.Spec.NodeAffinity = nil
	assert.ErrorContains(t, local.Delete(t.Context(), pv), "does not say which node")
}
