package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
)

// moveEntry returns the network with an entry set to x, and the others of its row in proportion, or equal
// when all of them are zero.
func moveEntry(net *bn.Network, v, config, state int, x float64) *bn.Network {
	net = net.Clone()
	row := net.CPT(v).Row(config)
	rest := 0.0
	for i, p := range row {
		if i != state {
			rest += p
		}
	}
	for i, p := range row {
		switch {
		case i == state:
			row[i] = x
		case rest > 0:
			row[i] = p / rest * (1 - x)
		default:
			row[i] = (1 - x) / float64(len(row)-1)
		}
	}
	return net
}

// TestSensitivity moves every entry of random networks and enumerates: ranges, derivatives, the entries that
// stand in no row, and whether the change found turns the decision and a smaller one does not.
func TestSensitivity(t *testing.T) {
	rows, turned := 0, 0
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 16))
		net := infertest.Random(rng, 2+rng.IntN(3), []float64{0, 0.3}[seed%2])
		evidence := infertest.Evidence(rng, net, 0.3)
		at := rng.IntN(net.Len())
		target := net.Variable(at)
		last := len(target.States) - 1
		if all, _ := infertest.Enumerate(net, evidence); all == 0 {
			continue
		}
		answer := func(net *bn.Network) float64 {
			all, p := infertest.Enumerate(net, evidence)
			return p[at][last] / all
		}
		now, threshold := answer(net), 0.1+0.8*rng.Float64()
		set := &bnkit.SensitivitySettings{Spread: 0.2, Threshold: threshold}
		df := must[dataframe.DataFrame](t)(bnkit.Sensitivity(t.Context(), net, evidence, target.Name, "", set))
		row := map[string]int{}
		width := math.Inf(1)
		for i, name := range df.Col("entry").Records() {
			row[name] = i
			w := df.Col("high").Elem(i).Float() - df.Col("low").Elem(i).Float()
			if w > width {
				t.Errorf("seed %d: row %d is wider than the one above", seed, i)
			}
			width = w
		}
		for cell := range net.Layout().Len() {
			v, config, state := net.Layout().Locate(cell)
			table := net.CPT(v)
			if len(table.Child.States) == 1 {
				continue
			}
			name := fmt.Sprintf("P(%s=%s", table.Child.Name, table.Child.States[state])
			for k, s := range table.ConfigNames(config) {
				name += map[bool]string{true: " | ", false: ", "}[k == 0] + table.Parents[k].Name + "=" + s
			}
			x := table.Row(config)[state]
			moved := func(x float64) float64 { return answer(moveEntry(net, v, config, state, x)) }
			i, listed := row[name+")"]
			if !listed {
				for _, y := range []float64{0.2, 0.6} {
					if p := moved(y); math.Abs(p-now) > 1e-9 {
						t.Errorf("seed %d: %s at %v moves %v to %v and has no row", seed, name, y, now, p)
					}
				}
				continue
			}
			rows++
			got := func(column string) float64 { return df.Col(column).Elem(i).Float() }
			a, b := moved(x*0.8), moved(min(1, x*1.2))
			for column, want := range map[string]float64{"value": x, "from": x * 0.8, "to": min(1, x*1.2),
				"low": min(a, b), "high": max(a, b), "answer": now} {
				if !(math.Abs(got(column)-want) < 1e-9) {
					t.Errorf("seed %d: %s): %s %v, want %v", seed, name, column, got(column), want)
				}
			}
			if h := 1e-6; x > h && x < 1-h {
				want := (moved(x+h) - moved(x-h)) / (2 * h)
				if math.Abs(got("derivative")-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("seed %d: %s): derivative %v, want %v", seed, name, got("derivative"), want)
				}
			}
			change := got("change")
			if math.IsNaN(change) {
				for _, y := range []float64{1e-9, 1 - 1e-9} {
					if p := moved(y); (p > threshold+1e-6) != (now > threshold+1e-6) {
						t.Errorf("seed %d: %s) at %v: %v beyond %v and no change", seed, name, y, p, threshold)
					}
				}
				continue
			}
			turned++
			if p := moved(x + change); math.Abs(p-threshold) > 1e-9 {
				t.Errorf("seed %d: %s) changed by %v has the answer %v, not %v", seed, name, change, p, threshold)
			}
			if less := moved(x + 0.99*change); less > threshold != (now > threshold) {
				t.Errorf("seed %d: %s): less than the change %v turns the decision", seed, name, change)
			}
		}
	}
	if rows < 100 || turned < 20 {
		t.Errorf("%d rows and %d changes: too few to tell", rows, turned)
	}
}

// TestSensitivityOfFit: entries move over their credible intervals, and a note names the statement.
func TestSensitivityOfFit(t *testing.T) {
	truth := infertest.Asia()
	cases := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 300, rand.NewPCG(1, 0)))
	up := constraint.Influence{Parent: "smoke", Child: "bronc", Sign: constraint.Positive}
	model := must[*bnkit.Model](t)(bnkit.Fit(context.Background(), truth, cases, learn.MAP{Pseudocount: 1,
		Constraints: []constraint.Constraint{up}}, nil))
	intervals := func() *bnkit.IntervalSettings {
		return &bnkit.IntervalSettings{Draws: 500, Src: rand.NewPCG(2, 0)}
	}
	evidence := infer.Evidence{"smoke": "yes"}
	df := must[dataframe.DataFrame](t)(bnkit.Sensitivity(t.Context(), model, evidence, "bronc", "yes",
		&bnkit.SensitivitySettings{Intervals: intervals()}))
	want := must[dataframe.DataFrame](t)(bnkit.Intervals(context.Background(), model, "bronc", intervals()))
	if df.Nrow() != 2 {
		t.Fatalf("the answer is an entry, and depends on %v", df.Col("entry"))
	}
	for i := range 2 {
		k := -1
		for j := range want.Nrow() {
			if want.Col("smoke").Elem(j).String() == "yes" &&
				want.Col("state").Elem(j).String() == df.Col("state").Elem(i).String() {
				k = j
			}
		}
		low, high := want.Col("low").Elem(k).Float(), want.Col("high").Elem(k).Float()
		if from, to := df.Col("from").Elem(i).Float(), df.Col("to").Elem(i).Float(); from != low || to != high {
			t.Errorf("%s moves from %v to %v, its interval is %v to %v", df.Col("entry").Elem(i), from, to, low, high)
		}
		if note := df.Col("note").Elem(i).String(); note != up.String() {
			t.Errorf("note %q, want %q", note, up)
		}
	}
	set := &bnkit.SensitivitySettings{Intervals: intervals()}
	if _, err := bnkit.Sensitivity(t.Context(), truth, evidence, "bronc", "yes", set); err == nil ||
		!strings.Contains(err.Error(), "not fitted") {
		t.Errorf("intervals of a network: %v", err)
	}
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := bnkit.Sensitivity(done, model, evidence, "bronc", "yes", set); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
}

func TestSensitivityRefused(t *testing.T) {
	for _, test := range []struct {
		target, state string
		evidence      infer.Evidence
		set           *bnkit.SensitivitySettings
		want          string
	}{
		{"lungs", "", nil, nil, `unknown variable "lungs"`},
		{"lung", "perhaps", nil, nil, `"perhaps"`},
		{"lung", "", infer.Evidence{"tub": "yes", "either": "no"}, nil, "probability zero"},
		{"lung", "", infer.Evidence{"tub": infer.Distribution{"yes": 0.5, "no": 0.5}}, nil, "Distribution"},
		{"lung", "", nil, &bnkit.SensitivitySettings{Spread: 1.5}, "Spread of 1.5"},
		{"lung", "", nil, &bnkit.SensitivitySettings{Threshold: math.NaN()}, "Threshold of NaN"},
		{"lung", "", nil, &bnkit.SensitivitySettings{Intervals: &bnkit.IntervalSettings{}}, "not fitted"},
	} {
		_, err := bnkit.Sensitivity(t.Context(), infertest.Asia(), test.evidence, test.target, test.state, test.set)
		if err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s given %v: %v, want %q", test.target, test.evidence, err, test.want)
		}
	}
}

// A positive X-ray does not make lung cancer probable. What would have to be different?
func ExampleSensitivity() {
	df, err := bnkit.Sensitivity(context.Background(), infertest.Asia(), infer.Evidence{"xray": "yes"}, "lung", "yes",
		nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("P(lung=yes | xray=yes) = %.3f\n", df.Col("answer").Elem(0).Float())
	for i := range 4 {
		fmt.Printf("%-30s %.2f: from %.3f to %.3f, 0.5 at %+.3f\n", df.Col("entry").Elem(i),
			df.Col("value").Elem(i).Float(), df.Col("low").Elem(i).Float(), df.Col("high").Elem(i).Float(),
			df.Col("change").Elem(i).Float())
	}
	// Output:
	// P(lung=yes | xray=yes) = 0.489
	// P(xray=no | either=no)         0.95: from 0.271 to 0.848, 0.5 at +0.003
	// P(lung=no | smoke=yes)         0.90: from 0.142 to 0.646, 0.5 at -0.005
	// P(tub=no | asia=no)            0.99: from 0.274 to 0.531, 0.5 at +0.003
	// P(either=no | tub=no, lung=no) 1.00: from 0.273 to 0.489, 0.5 at +NaN
}

// TestSensitivityOfZero: an event that was never seen stays at 0 by a share of itself, and moves in its interval.
func TestSensitivityOfZero(t *testing.T) {
	df := dataframe.New(texts("x", "a", "b", "a", "b", "a"))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[x]", df, &bnkit.NetworkOptions{
		States: map[string][]string{"x": {"a", "b", "c"}}}))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	for _, set := range []*bnkit.SensitivitySettings{nil, {Intervals: draws(500)}} {
		got := must[dataframe.DataFrame](t)(bnkit.Sensitivity(t.Context(), m, nil, "x", "c", set))
		for i, note := range got.Col("note").Records() {
			stays := strings.HasPrefix(note, "0 stays")
			if want := set == nil && got.Col("state").Elem(i).String() == "c"; stays != want {
				t.Errorf("%+v, state %v: note %q", set, got.Col("state").Elem(i), note)
			}
		}
	}
}
