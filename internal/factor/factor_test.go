package factor

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/internal/numtest"
)

// random returns a factor over some of six variables with one to four states, in
// random order.
func random(rng *rand.Rand, least int) *Factor {
	cards := []int{2, 3, 1, 4, 2, 3}
	vars := rng.Perm(len(cards))[:least+rng.IntN(4-least)]
	f := New(vars, pick(cards, vars))
	for i := range f.Values {
		if rng.IntN(4) > 0 {
			f.Values[i] = rng.Float64()
		}
	}
	return f
}

func pick(cards, vars []int) []int {
	list := make([]int, len(vars))
	for i, v := range vars {
		list[i] = cards[v]
	}
	return list
}

// each calls f with every assignment of states to six variables.
func each(f func(x []int)) {
	cards := []int{2, 3, 1, 4, 2, 3}
	x := make([]int, len(cards))
	for {
		f(x)
		v := 0
		for v < len(x) {
			x[v]++
			if x[v] < cards[v] {
				break
			}
			x[v] = 0
			v++
		}
		if v == len(x) {
			return
		}
	}
}

func at(f *Factor, x []int) float64 { return f.At(pick(x, f.Vars)...) }

func shuffled(rng *rand.Rand, vars []int) []int {
	out := slices.Clone(vars)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func TestOperations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	cards := []int{2, 3, 1, 4, 2, 3}
	for range 200 {
		a, b := random(rng, 0), random(rng, 0)
		ab := Product(nil, a, b)
		order := shuffled(rng, ab.Vars)
		other := New(order, pick(cards, order))
		if got := Product(other, a, b); got != other {
			t.Fatal("Product did not return dst")
		}
		out := ab.Vars[:rng.IntN(len(ab.Vars)+1)]
		sum, most := SumOut(nil, ab, out...), MaxOut(nil, ab, out...)
		fixed := make([]int, len(out))
		for i, v := range out {
			fixed[i] = rng.IntN(cards[v])
		}
		slice := Slice(nil, ab, out, fixed)
		wantSum, wantMost := make([]float64, len(sum.Values)), make([]float64, len(sum.Values))
		counted := 0.0 // assignments of the variables outside a and b
		each(func(x []int) {
			want := at(a, x) * at(b, x)
			if at(ab, x) != want || at(other, x) != want {
				t.Fatalf("product of %v and %v at %v is %v and, permuted, %v, want %v", a, b, x, at(ab, x),
					at(other, x), want)
			}
			if at(Permute(nil, ab, order...), x) != want {
				t.Fatalf("permuted product at %v is not %v", x, want)
			}
			i := 0
			for j, v := range sum.Vars {
				i = i*sum.Cards[j] + x[v]
			}
			wantSum[i] += want
			wantMost[i] = max(wantMost[i], want)
			counted++
			agrees := true
			for i, v := range out {
				agrees = agrees && x[v] == fixed[i]
			}
			if agrees && at(slice, x) != want {
				t.Fatalf("slice at %v is %v, want %v", x, at(slice, x), want)
			}
		})
		copies := counted / float64(len(ab.Values))
		for i := range wantSum {
			numtest.Close(t, sum.Values[i], wantSum[i]/copies, 1e-12, 1e-12)
			numtest.Close(t, most.Values[i], wantMost[i], 0, 0)
		}
		numtest.Close(t, SumOut(nil, sum, sum.Vars...).Values[0], ab.Sum(), 1e-12, 1e-12)
	}
}

// TestShare compares the way back with its definition: each product, multiplied by
// the ratio, is added to the places it came from.
func TestShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 200 {
		a, b := random(rng, 0), random(rng, 0)
		all := Product(nil, a, b)
		keep := shuffled(rng, all.Vars)[:rng.IntN(len(all.Vars)+1)]
		out := New(keep, pick([]int{2, 3, 1, 4, 2, 3}, keep))
		ratio := New(out.Vars, out.Cards)
		for i := range ratio.Values {
			ratio.Values[i] = rng.Float64()
		}
		c := NewContraction(out.Shape, a.Shape, b.Shape)
		c.Sum(out.Values, a.Values, b.Values, first, first)
		for i, x := range SumOut(New(out.Vars, out.Cards), all, all.without(keep).Vars...).Values {
			numtest.Close(t, out.Values[i], x, 1e-12, 1e-12)
		}
		joint := Product(New(all.Vars, all.Cards), all, ratio)
		wantA, wantB := SumOut(New(a.Vars, a.Cards), joint, all.without(a.Vars).Vars...),
			SumOut(New(b.Vars, b.Cards), joint, all.without(b.Vars).Vars...)
		for mask := range 4 {
			var gotA, gotB []float64
			if mask&1 > 0 {
				gotA = make([]float64, len(a.Values))
			}
			if mask&2 > 0 {
				gotB = make([]float64, len(b.Values))
			}
			c.Share(gotA, gotB, ratio.Values, a.Values, b.Values, first, first)
			for i, x := range gotA {
				numtest.Close(t, x, wantA.Values[i], 1e-12, 1e-12)
			}
			for i, x := range gotB {
				numtest.Close(t, x, wantB.Values[i], 1e-12, 1e-12)
			}
			if len(keep) == len(all.Vars) {
				clear(gotA)
				clear(gotB)
				counts := Product(New(out.Vars, out.Cards), out, ratio)
				c.Spread(gotA, gotB, counts.Values, first, first)
				for i, x := range gotA {
					numtest.Close(t, x, wantA.Values[i], 1e-12, 1e-12)
				}
				for i, x := range gotB {
					numtest.Close(t, x, wantB.Values[i], 1e-12, 1e-12)
				}
			}
		}
	}
}

// TestManyRuns has more runs than the inner list of places holds.
func TestManyRuns(t *testing.T) {
	cards := []int{7, 5, 6, 4, 5, 3}
	a := New([]int{0, 1, 2, 3, 4, 5}, cards)
	for i := range a.Values {
		a.Values[i] = float64(i % 11)
	}
	b := New([]int{5, 3, 1}, []int{3, 4, 5})
	for i := range b.Values {
		b.Values[i] = float64(i % 7)
	}
	out := New([]int{4, 0, 2}, []int{5, 7, 6})
	c := NewContraction(out.Shape, a.Shape, b.Shape)
	c.Sum(out.Values, a.Values, b.Values, first, first)
	if len(c.outer) < 2 || c.Cells() != len(a.Values) {
		t.Errorf("%d outer places and %d cells, want several and %d", len(c.outer), c.Cells(), len(a.Values))
	}
	want := New(out.Vars, out.Cards)
	for i := range a.Values {
		x := make([]int, 6)
		for rest, v := i, 5; v >= 0; v-- {
			x[v] = rest % cards[v]
			rest /= cards[v]
		}
		want.Values[(x[4]*7+x[0])*6+x[2]] += a.Values[i] * b.At(x[5], x[3], x[1])
	}
	if !slices.Equal(out.Values, want.Values) { // whole numbers, so exact
		t.Error("the sum over many runs differs from the plain loop")
	}
}

// TestRuns: sums over runs of all kinds and of one to nine entries are those of the plain loop, to the last bit.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	kinds := make(map[[3]int]bool)
	for run := 1; run <= 9; run++ {
		for range 200 {
			cards := []int{run, 2 + rng.IntN(3), 2, 3}
			var shapes [2]Shape
			for i := range shapes {
				shapes[i].Vars = rng.Perm(4)[:2+rng.IntN(3)]
				shapes[i].Cards = pick(cards, shapes[i].Vars)
			}
			a, b := shapes[0], shapes[1]
			all := union(a, b).Vars
			keep := shuffled(rng, all)[:rng.IntN(len(all)+1)]
			out := Shape{keep, pick(cards, keep)}
			c := NewContraction(out, a, b)
			x, y, got := numbers(rng, a.Size()), numbers(rng, b.Size()), make([]float64, out.Size())
			c.Sum(got, x, y, first, first)
			kinds[[3]int{min(c.stepA, 2), min(c.stepB, 2), min(c.stepOut, 2)}] = true
			summed := 0 // of the products of a run that is summed by itself
			if c.stepOut == 0 && c.stepA == 1 && c.stepB <= 1 {
				summed = c.run
			}
			want, sum := make([]float64, out.Size()), 0.0
			for _, h := range c.outer {
				for _, l := range c.inner {
					i, j, m := h.a+l.a, h.b+l.b, h.out+l.out
					for k := range c.run {
						switch p := x[i] * y[j]; {
						case summed == 0:
							want[m] += p
						case k == 0:
							sum = p
						default:
							sum += p
						}
						i, j, m = i+int32(c.stepA), j+int32(c.stepB), m+int32(c.stepOut)
					}
					if summed > 0 {
						want[m] += sum
					}
				}
			}
			for i := range want {
				limit := 0.0
				if summed > 0 && c.stepB == 0 {
					limit = 1e-15 // y is multiplied by the sum
				}
				numtest.Close(t, got[i], want[i], 0, limit)
			}
		}
	}
	if len(kinds) < 12 {
		t.Errorf("%d kinds of runs: %v", len(kinds), kinds)
	}
}

// TestTables works on several tables at once, with runs of one to seven states.
func TestTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for r := 1; r <= 7; r++ {
		for _, keep := range [][]int{{0}, {1, 0}, {0, 1, 2}, {}, {1}} {
			cards := []int{3, 2, r}
			x, y, out := Shape{[]int{0, 2}, pick(cards, []int{0, 2})}, Shape{[]int{1, 2}, pick(cards, []int{1, 2})},
				Shape{keep, pick(cards, keep)}
			c := NewContraction(out, x, y)
			a, b := numbers(rng, 2*x.Size()), numbers(rng, 3*y.Size())
			ofA, ofB := []int32{1, 0, 1, 1}, []int32{2, 2, 0, 2}
			all, q := make([]float64, 4*out.Size()), numbers(rng, 4*out.Size())
			sa, sb := make([]float64, len(a)), make([]float64, len(b))
			c.Sum(all, a, b, ofA, ofB)
			c.Share(sa, sb, q, a, b, ofA, ofB)
			oneA, oneB := make([]float64, len(a)), make([]float64, len(b))
			for k := range ofA {
				x, y := a[int(ofA[k])*x.Size():], b[int(ofB[k])*y.Size():]
				z := make([]float64, out.Size())
				c.strided(z, x, y, first, first)
				for i := range z {
					numtest.Close(t, all[k*len(z)+i], z[i], 0, 1e-15)
				}
				c.Share(oneA[len(a)-len(x):], nil, q[k*len(z):], x, y, first, first)
				c.Share(nil, oneB[len(b)-len(y):], q[k*len(z):], x, y, first, first)
			}
			for i := range sa {
				numtest.Close(t, sa[i], oneA[i], 0, 1e-14)
			}
			for i := range sb {
				numtest.Close(t, sb[i], oneB[i], 0, 1e-14)
			}
		}
	}
}

// TestDerive compares derivatives with differences: the sum of products is linear in each table.
func TestDerive(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for r := 1; r <= 7; r++ {
		for _, keep := range [][]int{{0}, {1, 0}, {0, 1, 2}, {}, {1}} {
			cards := []int{3, 2, r}
			x, y, out := Shape{[]int{0, 2}, pick(cards, []int{0, 2})}, Shape{[]int{1, 2}, pick(cards, []int{1, 2})},
				Shape{keep, pick(cards, keep)}
			c := NewContraction(out, x, y)
			a, b, d := numbers(rng, x.Size()), numbers(rng, y.Size()), make([]Pair, out.Size())
			for i := range d {
				d[i] = Pair{rng.Float64(), rng.Float64()}
			}
			a[0], d[0] = 0, Pair{}
			total := func() (sum Pair) {
				z := make([]float64, len(d))
				c.Sum(z, a, b, first, first)
				for i, v := range z {
					sum[0] += v * d[i][0]
					sum[1] += v * d[i][1]
				}
				return sum
			}
			da, db, alone := make([]Pair, len(a)), make([]Pair, len(b)), make([]Pair, len(a))
			c.Derive(da, db, d, a, b)
			c.Derive(alone, nil, d, a, b)
			before := total()
			for _, table := range []struct {
				values []float64
				by     []Pair
			}{{a, da}, {a, alone}, {b, db}} {
				for i, v := range table.values {
					table.values[i]++
					after := total()
					numtest.Close(t, table.by[i][0], after[0]-before[0], 1e-12, 0)
					numtest.Close(t, table.by[i][1], after[1]-before[1], 1e-12, 0)
					table.values[i] = v
				}
			}
		}
	}
}

func numbers(rng *rand.Rand, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = rng.Float64()
	}
	return list
}

func TestPanics(t *testing.T) {
	a := New([]int{0, 1}, []int{2, 3})
	for name, f := range map[string]func(){
		"twice":          func() { New([]int{1, 1}, []int{2, 2}) },
		"no states":      func() { New([]int{1}, []int{0}) },
		"lengths":        func() { New([]int{1}, nil) },
		"At, few":        func() { a.At(0) },
		"At, range":      func() { a.At(0, 3) },
		"unknown":        func() { SumOut(nil, a, 7) },
		"dst":            func() { SumOut(New([]int{1}, []int{3}), a, 1) },
		"dst, many":      func() { SumOut(a, a, 1) },
		"slice, range":   func() { Slice(nil, a, []int{0}, []int{2}) },
		"slice, lengths": func() { Slice(nil, a, []int{0}, nil) },
		"cardinalities":  func() { Product(nil, a, New([]int{1}, []int{2})) },
		"out of nowhere": func() { NewContraction(Shape{[]int{5}, []int{2}}, a.Shape, Shape{}) },
		"spread of sums": func() {
			NewContraction(Shape{}, a.Shape, Shape{}).Spread(a.Values, nil, []float64{1},
				first, first)
		},
		"too many for Stride": func() { New([]int{0, 1}, []int{1 << 16, 1}).At(1<<16, 0) },
	} {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "factor: ") {
					t.Errorf("%s: recovered %v, want a message of factor", name, r)
				}
			}()
			f()
		}()
	}
}

func TestContractionDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	a, b := random(rng, 2), random(rng, 2)
	ab := Product(nil, a, b)
	out := SumOut(nil, ab, ab.Vars[0])
	c := NewContraction(out.Shape, a.Shape, b.Shape)
	allocs := testing.AllocsPerRun(100, func() {
		c.Sum(out.Values, a.Values, b.Values, first, first)
		c.Max(out.Values, a.Values, b.Values, first, first)
		c.Share(a.Values, nil, out.Values, a.Values, b.Values, first, first)
	})
	if allocs > 0 {
		t.Errorf("%v allocations a pass, want 0", allocs)
	}
}

// BenchmarkContraction sums one variable out of the product of two tables: 64 Ki
// products in runs of 4, as in a clique of eight variables.
func BenchmarkContraction(b *testing.B) {
	four := func(vars ...int) *Factor { return New(vars, slices.Repeat([]int{4}, len(vars))) }
	x, y, out := four(0, 1, 2, 3, 4, 7), four(2, 3, 4, 5, 6, 7), four(0, 1, 2, 3, 4, 5, 6)
	c := NewContraction(out.Shape, x.Shape, y.Shape)
	b.Run("Sum", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Sum(out.Values, x.Values, y.Values, first, first)
		}
	})
	b.Run("Share", func(b *testing.B) {
		sx, sy, q := four(x.Vars...), four(y.Vars...), four(out.Vars...)
		for i := range q.Values {
			q.Values[i] = 1
		}
		b.ReportAllocs()
		for b.Loop() {
			c.Share(sx.Values, sy.Values, q.Values, x.Values, y.Values, first, first)
		}
	})
}
