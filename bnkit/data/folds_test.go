package data_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// isPartition checks that every row 0..n−1 is in one part, ascending.
func isPartition(t *rapid.T, n int, parts ...[]int) {
	var rows []int
	for _, part := range parts {
		if !slices.IsSorted(part) {
			t.Fatalf("%v is not ascending", part)
		}
		rows = append(rows, part...)
	}
	slices.Sort(rows)
	for i, row := range rows {
		if i != row {
			t.Fatalf("the parts hold %v", rows)
		}
	}
	if len(rows) != n {
		t.Fatalf("the parts hold %d rows of %d", len(rows), n)
	}
}

func drawClasses(t *rapid.T) (*data.Table, []bn.State) {
	states := rapid.SliceOfN(rapid.SampledFrom([]bn.State{0, 0, 0, 1, 1, 2, bn.Missing}), 2, 60).Draw(t, "states")
	table, err := data.New(discrete("y", states...), discrete("x", make([]bn.State, len(states))...))
	if err != nil {
		t.Fatal(err)
	}
	return table, states
}

func perClass(states []bn.State, rows []int) map[bn.State]int {
	n := map[bn.State]int{}
	for _, row := range rows {
		n[states[row]]++
	}
	return n
}

func TestFoldsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, states := drawClasses(t)
		k := rapid.IntRange(2, len(states)).Draw(t, "k")
		seed := rapid.Uint64().Draw(t, "seed")
		stratified, err := table.StratifiedFolds("y", k, rand.NewPCG(seed, 0))
		if err != nil {
			t.Fatal(err)
		}
		again, _ := table.StratifiedFolds("y", k, rand.NewPCG(seed, 0))
		if fmt.Sprint(stratified) != fmt.Sprint(again) {
			t.Fatal("the same source makes other folds")
		}
		plain, err := table.Folds(k, rand.NewPCG(seed, 0))
		if err != nil {
			t.Fatal(err)
		}
		for _, folds := range [][][]int{stratified, plain} {
			isPartition(t, len(states), folds...)
			for _, fold := range folds {
				if d := len(fold) - len(folds[0]); len(folds) != k || d > 1 || d < -1 {
					t.Fatalf("folds of different sizes: %v", folds)
				}
				isPartition(t, len(states), fold, table.Complement(fold))
			}
		}
		for _, fold := range stratified {
			n, first := perClass(states, fold), perClass(states, stratified[0])
			for _, s := range []bn.State{0, 1, 2, m} {
				if d := n[s] - first[s]; d > 1 || d < -1 {
					t.Fatalf("state %d stands %d and %d times", s, n[s], first[s])
				}
			}
		}
	})
}

func TestSplitLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, states := drawClasses(t)
		f := rapid.Float64Range(0.001, 0.999).Draw(t, "fraction")
		for _, target := range []string{"y", ""} {
			train, test, err := table.Split(target, f, rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
			if err != nil {
				t.Fatal(err)
			}
			isPartition(t, len(states), train, test)
			n := len(states)
			want := min(max(int(math.Round(f*float64(n))), 1), n-1)
			if len(test) != want {
				t.Fatalf("%d test rows of %d, want %d", len(test), n, want)
			}
			if target == "" {
				continue
			}
			whole := perClass(states, append(slices.Clone(train), test...))
			for s, count := range perClass(states, test) {
				if d := float64(count) - float64(whole[s]*want)/float64(n); math.Abs(d) >= 1 {
					t.Fatalf("state %d: %d of %d rows are tested, of all %d of %d", s, count, whole[s], want, n)
				}
			}
		}
	})
}

// Rows are chosen at random, not by their place.
func TestFoldsAreRandom(t *testing.T) {
	table := must(t, discrete("y", make([]bn.State, 20)...))
	seen := map[string]bool{}
	for seed := range uint64(10) {
		folds, err := table.StratifiedFolds("y", 2, rand.NewPCG(seed, 0))
		if err != nil {
			t.Fatal(err)
		}
		_, test, err := table.Split("y", 0.5, rand.NewPCG(seed, 0))
		if err != nil {
			t.Fatal(err)
		}
		seen[fmt.Sprint(folds[0])] = true
		seen[fmt.Sprint(test)] = true
	}
	if len(seen) < 15 { // two of 184,756 choices are the same with probability 5e-6
		t.Errorf("%d different choices of 20", len(seen))
	}
}

func TestFoldsErrors(t *testing.T) {
	table := must(t, discrete("y", 0, 1, 1), continuous("z", 1, 2, 3))
	src := rand.NewPCG(1, 0)
	folds := func(target string, k int, src rand.Source) error {
		_, err := table.StratifiedFolds(target, k, src)
		return err
	}
	split := func(table *data.Table, target string, f float64, src rand.Source) error {
		_, _, err := table.Split(target, f, src)
		return err
	}
	_, plain := table.Folds(4, src)
	for i, test := range []struct {
		err  error
		is   error
		want string
	}{
		{plain, nil, "4 folds of 3 rows"},
		{folds("y", 1, src), nil, "1 folds of 3 rows"},
		{folds("y", 2, nil), bn.ErrNoSource, "no random source"},
		{folds("z", 2, src), bn.ErrNotDiscrete, `column "z"`},
		{folds("w", 2, src), bn.ErrUnknownVariable, `"w" (there are: y, z)`},
		{split(table, "y", 0, src), nil, "fraction 0 is not between 0 and 1"},
		{split(table, "y", math.NaN(), src), nil, "fraction NaN"},
		{split(table, "y", 0.5, nil), bn.ErrNoSource, ""},
		{split(table, "z", 0.5, src), bn.ErrNotDiscrete, ""},
		{split(table.Head(1), "y", 0.5, src), nil, "1 rows cannot be split"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) || test.is != nil &&
			!errors.Is(test.err, test.is) {
			t.Errorf("case %d: %v, want %q that wraps %v", i, test.err, test.want, test.is)
		}
	}
}
