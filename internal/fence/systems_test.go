package fence_test

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"

	"bnlab/internal/numtest"
)

// TestOtherSystems reads all code, tests too, as for other systems and processors: files that only they have, and
// an int of 32 bits. Nothing is compiled, which takes minutes each.
func TestOtherSystems(t *testing.T) {
	if !numtest.Full() {
		t.Skip("reads the library of Go as well: runs with BNLAB_FULL=1, as in CI")
	}
	for _, system := range []struct {
		os, processor string
		int           int64 // its bytes
	}{{"darwin", "arm64", 8}, {"windows", "386", 4}} {
		t.Run(system.os+"-"+system.processor, func(t *testing.T) {
			list, err := packages.Load(&packages.Config{
				Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
					packages.NeedSyntax | packages.NeedTypesSizes | packages.NeedTypesInfo,
				Dir:   filepath.Join("..", ".."),
				Env:   append(os.Environ(), "GOOS="+system.os, "GOARCH="+system.processor, "CGO_ENABLED=0"),
				Tests: true,
			}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			checked := 0
			for _, p := range list {
				for _, e := range p.Errors {
					t.Error(e)
				}
				if p.Types != nil && p.TypesSizes.Sizeof(types.Typ[types.Int]) == system.int {
					checked++
				}
			}
			if checked < 100 {
				t.Errorf("%d packages, an int of %d bytes: the list is not whole", checked, system.int)
			}
		})
	}
}
