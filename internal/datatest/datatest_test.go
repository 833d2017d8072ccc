package datatest

import (
	"path/filepath"
	"testing"
)

func TestPath(t *testing.T) {
	t.Setenv("BNLAB_DATA", "data")
	if got, want := Path(t, "networks/alarm.bif"), filepath.Join("data", "networks", "alarm.bif"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	t.Setenv("BNLAB_DATA", "")
	t.Run("skipped", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("not skipped without BNLAB_DATA")
			}
		}()
		Path(t, "networks")
	})
}
