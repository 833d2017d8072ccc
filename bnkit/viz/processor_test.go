package viz_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
	"bnlab/internal/numtest"
)

// large draws 200 variables and returns the checksum of the SVG.
func large() (string, error) {
	g, _, _, err := randomGraph(rand.New(rand.NewPCG(11, 0)), 200)
	if err != nil {
		return "", err
	}
	fig, err := viz.Graph(g, nil)
	if err != nil {
		return "", err
	}
	svg, err := fig.SVG()
	return fmt.Sprintf("%x", sha256.Sum256(svg)), err
}

// A drawing has the same bytes on processors without the instructions that Go's runtime and libraries use where they
// find them: other ways of copying memory than this processor's crashed an earlier layout. The test runs itself in
// other processes, as Go reads these settings when a program starts.
func TestSameOnOtherProcessors(t *testing.T) {
	const child = "BNLAB_TEST_DRAW"
	if os.Getenv(child) != "" {
		sum, err := large()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("checksum", sum)
		return
	}
	want, err := large()
	if err != nil {
		t.Fatal(err)
	}
	settings := []string{"cpu.all=off"}
	if runtime.GOARCH == "amd64" && numtest.Full() {
		const vectors, moves = "cpu.avx=off,cpu.avx2=off,cpu.fma=off", "cpu.erms=off,cpu.fsrm=off"
		settings = append(settings, vectors, moves, vectors+","+moves)
	}
	for _, s := range settings {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSameOnOtherProcessors$", "-test.count=1")
		cmd.Env = append(os.Environ(), "GODEBUG="+s, child+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("GODEBUG=%s: %v\n%s", s, err, out)
		}
		if !strings.Contains(string(out), "checksum "+want) {
			t.Errorf("GODEBUG=%s draws something else: %s, want %s", s, strings.TrimSpace(string(out)), want)
		}
	}
}
