package bn

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// binary is a random network of binary variables without zeros.
func binary(t *testing.T, g *DAG, r *rand.Rand) *Network {
	t.Helper()
	var vars []Variable
	for v := range g.Len() {
		vars = append(vars, Discrete(g.Name(v), "no", "yes"))
	}
	n, err := NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	for v := range n.vars {
		for c := range n.cpts[v].configs.Len() {
			p := 0.1 + 0.8*r.Float64()
			copy(n.cpts[v].Row(c), []float64{1 - p, p})
		}
	}
	return n
}

// A function has a value for each joint state of binary variables, variable v in bit v.
type function []float64

// jointOf is the probability of each joint state.
func jointOf(n *Network) function {
	f := make(function, 1<<n.Len())
	for s := range f {
		f[s] = 1
		for v, t := range n.cpts {
			config := 0
			for _, p := range n.dag.parents[v] {
				config = 2*config + s>>p&1
			}
			f[s] *= t.Row(config)[s>>v&1]
		}
	}
	return f
}

// sum sums variables out; the function stays one of all variables.
func (f function) sum(out int) function {
	g := make(function, len(f))
	for s := range f {
		for t := out; ; t = (t - 1) & out {
			g[s] += f[s&^out|t]
			if t == 0 {
				break
			}
		}
	}
	return g
}

// setOf is a set of variables by bits.
func setOf(set ...int) int {
	b := 0
	for _, v := range set {
		b |= 1 << v
	}
	return b
}

// effect is P(y | do(x)) by the network after intervention, a function of x and y.
func effect(t *testing.T, n *Network, x, y []int) function {
	t.Helper()
	f := make(function, 1<<n.Len())
	for s := range 1 << len(x) {
		var set []Intervention
		mask, at := setOf(x...), 0
		for i, v := range x {
			set = append(set, Set(n.Variable(v).Name, n.Variable(v).States[s>>i&1]))
			at |= s >> i & 1 << v
		}
		after, err := n.Do(set...)
		if err != nil {
			t.Fatal(err)
		}
		p := jointOf(after).sum((len(f) - 1) &^ setOf(y...))
		for s := range f {
			if s&mask == at {
				f[s] = p[s]
			}
		}
	}
	return f
}

func distance(f, g function) float64 {
	most := 0.0
	for s := range f {
		most = max(most, math.Abs(f[s]-g[s]))
	}
	return most
}

// TestAdjustmentSets: the sets listed are the minimal ones among all sets whose adjustment formula gives the
// effect in a network with random tables.
func TestAdjustmentSets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	found, none := 0, 0
	for range graphs(150) {
		g := randomDAG(t, 3+r.IntN(4), 0.5, r)
		n := binary(t, g, r)
		p, k := jointOf(n), g.Len()
		all := 1<<k - 1
		order := r.Perm(k)
		x, y := order[0], order[1]
		var hidden []string
		isHidden := 0
		for _, v := range order[2:] {
			if r.IntN(4) == 0 {
				hidden, isHidden = append(hidden, g.Name(v)), isHidden|1<<v
			}
		}
		want := effect(t, n, []int{x}, []int{y})
		var valid []int
		for z := range 1 << k {
			if z&(isHidden|setOf(x, y)) != 0 {
				continue
			}
			yxz, xz, pz := p.sum(all&^(z|setOf(x, y))), p.sum(all&^(z|setOf(x))), p.sum(all&^z)
			f := make(function, len(p))
			for s := range f {
				f[s] = yxz[s] / xz[s] * pz[s]
			}
			if distance(f.sum(z), want) < 1e-12 {
				valid = append(valid, z)
			}
		}
		var minimal []string
		for _, z := range valid {
			if !slices.ContainsFunc(valid, func(o int) bool { return o != z && o&z == o }) {
				var names []string
				for v := range k {
					if z>>v&1 == 1 {
						names = append(names, g.Name(v))
					}
				}
				minimal = append(minimal, strings.Join(names, ","))
			}
		}
		sets, err := g.AdjustmentSets(g.Name(x), g.Name(y), hidden...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, set := range sets {
			got = append(got, strings.Join(set, ","))
			if i > 0 && len(sets[i-1]) > len(set) {
				t.Errorf("%v: large sets before small ones: %v", g, sets)
			}
		}
		slices.Sort(minimal)
		slices.Sort(got)
		if !slices.Equal(got, minimal) {
			t.Errorf("%v: effect of %s on %s, hidden %v: sets %q, want %q", g, g.Name(x), g.Name(y), hidden, got,
				minimal)
		}
		found += len(sets)
		if len(sets) == 0 {
			none++
		}
	}
	if found < 20 || none < 2 {
		t.Errorf("%d sets and %d effects without any: too few to tell", found, none)
	}
}

// TestFrontdoorSets: the front-door formula with each set listed gives the effect.
func TestFrontdoorSets(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	found := 0
	for range graphs(2000) {
		g := randomDAG(t, 4+r.IntN(3), 0.4, r)
		k := g.Len()
		order := r.Perm(k)
		x, y, u := order[0], order[1], order[2]
		sets, err := g.FrontdoorSets(g.Name(x), g.Name(y), g.Name(u))
		if err != nil {
			t.Fatal(err)
		}
		if len(sets) == 0 {
			continue
		}
		n := binary(t, g, r)
		p, all := jointOf(n), 1<<k-1
		want := effect(t, n, []int{x}, []int{y})
		for _, names := range sets {
			found++
			set, _ := g.indices(names)
			m := setOf(set...)
			yxm, xm, px := p.sum(all&^(m|setOf(x, y))), p.sum(all&^(m|setOf(x))), p.sum(all&^setOf(x))
			inner := make(function, len(p))
			for s := range inner {
				inner[s] = yxm[s] / xm[s] * px[s]
			}
			inner = inner.sum(setOf(x))
			outer := make(function, len(p))
			for s := range outer {
				outer[s] = xm[s] / px[s] * inner[s]
			}
			if d := distance(outer.sum(m), want); d > 1e-12 {
				t.Errorf("%v: front door %v for the effect of %s on %s is off by %g", g, names, g.Name(x), g.Name(y), d)
			}
		}
	}
	if found < graphs(20) {
		t.Errorf("%d sets: too few to tell", found)
	}
}
