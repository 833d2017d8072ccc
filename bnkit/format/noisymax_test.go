package format_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format"
)

// aches is a GeNIe file with a noisy-MAX node of three states, whose parents are listed from the strongest state in an
// order of its own, and a noisy-OR node.
const aches = `<smile version="1.0" id="aches" numsamples="1000"><nodes>
<cpt id="flu"><state id="no" /><state id="severe" /><state id="light" /><probabilities>0.6 0.1 0.3</probabilities></cpt>
<cpt id="cold"><state id="yes" /><state id="no" /><probabilities>0.4 0.6</probabilities></cpt>
<noisymax id="fever"><state id="high" /><state id="mild" /><state id="none" /><parents>flu cold</parents>
<strengths>1 2 0 0 1</strengths>
<parameters>0.7 0.2 0.1 0.1 0.6 0.3 0 0 1 0.05 0.35 0.6 0 0 1 0.01 0.04 0.95</parameters></noisymax>
<noisymax id="cough"><state id="yes" /><state id="no" /><parents>flu cold</parents>
<strengths>1 2 0 0 1</strengths><parameters>0.5 0.5 0.2 0.8 0 1 0.6 0.4 0 1 0.1 0.9</parameters></noisymax>
</nodes></smile>`

// A node of GeNIe reads into the statement, is learned, and is written back as a node, bit for bit; without a change it
// is what was read.
func TestNoisyMAXLearnedAndWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "aches.xdsl")
	if err := os.WriteFile(path, []byte(aches), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := format.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var statements []constraint.Constraint
	before := make(map[string][]constraint.Effect)
	for _, name := range []string{"fever", "cough"} {
		s := constraint.NoisyMAX{Child: name, Min: true, Idle: f.NoisyMAX[name].Idle()}
		statements = append(statements, s)
		if before[name], err = s.Effects(f.Network); err != nil {
			t.Fatal(err)
		}
		for p, effects := range f.NoisyMAX[name].Effects {
			for k, effect := range effects {
				got := before[name][p].P[f.NoisyMAX[name].Strengths[p][k]]
				for y := range effect {
					if !(math.Abs(got[y]-effect[y]) <= 1e-12) {
						t.Errorf("%s: the effect of parent %d is %v, in the file %v", name, p, got, effect)
					}
				}
			}
		}
	}
	if err := f.Refit(f.Network); err != nil {
		t.Fatal(err)
	}
	cases, err := data.Sample(f.Network, 500, rand.NewPCG(1, 18))
	if err != nil {
		t.Fatal(err)
	}
	counts, err := cases.Count(f.Network, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := constraint.Compile(f.Network, statements...)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := p.Solve(counts.N)
	if err != nil {
		t.Fatal(err)
	}
	fitted := f.Network.Clone()
	for v := range fitted.Len() {
		lo, hi := p.Layout().Family(v)
		copy(fitted.CPT(v).P, solution.Theta[lo:hi])
	}
	if err := f.Refit(fitted); err != nil {
		t.Fatal(err)
	}
	lost, err := format.Write(path, f)
	if err != nil || len(lost) > 0 {
		t.Fatalf("lost %v, error %v", lost, err)
	}
	again, err := format.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fever", "cough"} {
		if again.NoisyMAX[name] == nil {
			t.Fatalf("%q is no noisy-MAX node any more", name)
		}
		a, err := again.Network.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := fitted.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		for k := range a.P {
			if !(math.Abs(a.P[k]-b.P[k]) <= 1e-12) {
				t.Errorf("%s: entry %d is %v, learned %v", name, k, a.P[k], b.P[k])
			}
		}
	}
	for v := range fitted.Len() { // a table that is no noisy-MAX
		if name := fitted.Variable(v).Name; name == "fever" {
			copy(fitted.CPT(v).P, []float64{0.5, 0.1, 0.4})
		}
	}
	if err := again.Refit(fitted); err == nil || !strings.Contains(err.Error(), `"fever": the table is off by`) {
		t.Errorf("error %v", err)
	}
}

// manyCauses is an XDSL file with a noisy-MAX node m of so many parents.
func manyCauses(parents int) string {
	var s strings.Builder
	s.WriteString(`<smile version="1.0" id="n"><nodes>`)
	for i := range parents {
		fmt.Fprintf(&s, `<cpt id="a%d"><state id="x"/><state id="y"/><probabilities>.25 .75</probabilities></cpt>`, i)
	}
	s.WriteString(`<noisymax id="m"><state id="p"/><state id="q"/><parents>`)
	for i := range parents {
		fmt.Fprintf(&s, "a%d ", i)
	}
	s.WriteString(`</parents><strengths>` + strings.Repeat("0 1 ", parents) + `</strengths><parameters>` +
		strings.Repeat("0.8 0.2 0 1 ", parents) + `0.01 0.99</parameters></noisymax></nodes></smile>`)
	return s.String()
}

// A node of 20 parents is read, with a word on its table, and not written as 100 MB unasked.
func TestWideNoisyMAX(t *testing.T) {
	dir := t.TempDir()
	for parents, wide := range map[int]bool{19: false, 20: true} {
		path := filepath.Join(dir, "causes.xdsl")
		if err := os.WriteFile(path, []byte(manyCauses(parents)), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := format.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(f.Lost, " "), `"m" is a table of 2097152 entries`); got != wide {
			t.Errorf("%d parents: lost %q", parents, f.Lost)
		}
		if !wide {
			continue
		}
		_, err = format.Write(filepath.Join(dir, "causes.bif"), f)
		if !errors.Is(err, bn.ErrTooLarge) || !strings.Contains(err.Error(), "write .xdsl, which has such nodes") {
			t.Errorf("%d parents: error %v", parents, err)
		}
		if _, err := format.Write(filepath.Join(dir, "again.xdsl"), f); err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkNoisyMAX reads a file of 2 KB with a node of 18 parents, whose table has 2^19 entries.
func BenchmarkNoisyMAX(b *testing.B) {
	form, err := format.ByExtension(".xdsl")
	if err != nil {
		b.Fatal(err)
	}
	src := []byte(manyCauses(18))
	for b.Loop() {
		if _, err := form.Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}
