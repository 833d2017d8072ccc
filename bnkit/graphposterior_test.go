package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/bnkit/structure/posterior"
)

// Rain and wet grass are joined in all graphs that count, in either direction alike; a weekday is a matter of a few.
func ExampleGraphPosterior() {
	ctx := context.Background()
	graphs, err := bnkit.GraphPosterior(ctx, lawns(), nil, nil, &bnkit.SearchSettings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(graphs)
	blanket, err := graphs.BlanketProbabilities("weekday")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s in the blanket of weekday: %.3f\n", blanket.Elem(0, 0), blanket.Elem(0, 1).Float())
	answer, err := graphs.Posterior(ctx, infer.Evidence{"weekday": "mon"}, "grass")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Names())
	fmt.Printf("grass=%s: %.2f, by the tables ± %.2f, by the graph ± %.2f\n", answer.Elem(1, 1),
		answer.Elem(1, 2).Float(), answer.Elem(1, 3).Float(), answer.Elem(1, 4).Float())
	// Output:
	// posterior distribution of graphs, exact, a prior that is uniform over graphs; at most 2 parents
	//   rain → grass: 0.502
	//   grass → rain: 0.498
	//   weekday → grass: 0.157
	//   weekday → rain: 0.149
	//   grass → weekday: 0.086
	//   rain → weekday: 0.082
	//
	// grass in the blanket of weekday: 0.337
	// [variable state probability sd tables sd graphs sd]
	// grass=wet: 0.37, by the tables ± 0.08, by the graph ± 0.01
}

// Columns below the same region are likelier to be joined: a hierarchy is a prior of the graph, summed exactly.
func ExampleGraphPosterior_hierarchy() {
	h, err := hierarchy.New([]string{"a", "b", "c"}, hierarchy.Composite{Name: "left", Of: []string{"a", "b"}},
		hierarchy.Composite{Name: "right", Of: []string{"c"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	prior, err := hierarchy.Prior{Alpha: 20}.Graph(h)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := dataframe.ReadCSV(strings.NewReader("left,right,a,b,c\n0,0,0,0,0\n0,1,0,0,1\n1,0,1,1,0\n1,1,1,1,1\n" +
		"0,0,0,1,0\n1,1,1,0,1\n0,1,0,0,0\n1,0,1,1,1\n"))
	for _, set := range []*bnkit.SearchSettings{nil, {GraphPrior: prior}} {
		graphs, err := bnkit.GraphPosterior(context.Background(), rows, nil, nil, set)
		if err != nil {
			fmt.Println(err)
			return
		}
		p, _ := graphs.Arc(2, 4)
		fmt.Printf("a → c: %.3f, %s\n", p, graphs.Method)
	}
	// Output:
	// a → c: 0.243, exact, a prior that is uniform over graphs
	// a → c: 0.144, exact, a prior that is uniform over graphs, times 1/(1 + 20 v), v the links that break the parent-wise assumption of a hierarchy
}

// few are 12 rows of three columns, in which the graph is uncertain.
func few() dataframe.DataFrame {
	return dataframe.ReadCSV(strings.NewReader("a,b,c\n0,0,0\n0,0,0\n0,0,1\n0,1,1\n0,1,1\n0,0,0\n1,1,1\n1,1,1\n1,1,0\n"+
		"1,0,0\n1,1,1\n1,0,1\n"), dataframe.DetectTypes(false), dataframe.DefaultType("string"))
}

// Averaged answers are those of a walk through the 25 graphs of three variables, each with its tables drawn by Beta
// variables and the answer by summing the joint distribution.
func TestGraphsPosteriorIsEnumeration(t *testing.T) {
	df := few()
	var rows [][3]int
	for r := range df.Nrow() {
		var row [3]int
		for c := range row {
			row[c] = int(df.Elem(r, c).String()[0] - '0')
		}
		rows = append(rows, row)
	}
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	src := rand.NewPCG(9, 9)
	const draws = 4000
	total, mean, within, between := 0.0, 0.0, 0.0, 0.0
	var weights, means []float64
	for g := range 8 * 8 * 8 {
		parents := [3]int{g & 7, g >> 3 & 7, g >> 6}
		if !threeAcyclic(parents) {
			continue
		}
		score := 0.0
		var counts [3][8][2]float64 // by configuration of the parents, as bits
		var alpha [3]float64
		for v, set := range parents {
			alpha[v] = 0.5 / float64(int(1)<<bits.OnesCount(uint(set))) // BDeu of one case
			for _, row := range rows {
				counts[v][(row[0]|row[1]<<1|row[2]<<2)&set][row[v]]++
			}
			for _, n := range counts[v] {
				score += lgamma(2*alpha[v]) - lgamma(2*alpha[v]+n[0]+n[1]) + lgamma(alpha[v]+n[0]) +
					lgamma(alpha[v]+n[1]) - 2*lgamma(alpha[v])
			}
		}
		m, s := 0.0, 0.0
		for range draws {
			var theta [3][8]float64
			for v, set := range parents {
				for config := range 8 {
					if config&^set == 0 {
						n := counts[v][config]
						theta[v][config] = distuv.Beta{Alpha: n[1] + alpha[v], Beta: n[0] + alpha[v], Src: src}.Rand()
					}
				}
			}
			var joint [2]float64 // of c, with a = 1
			for x := range 8 {
				if x&1 == 1 {
					p := 1.0
					for v, set := range parents {
						if q := theta[v][x&set]; x>>v&1 == 1 {
							p *= q
						} else {
							p *= 1 - q
						}
					}
					joint[x>>2] += p
				}
			}
			answer := joint[1] / (joint[0] + joint[1])
			m, s = m+answer/draws, s+answer*answer/draws
		}
		w := math.Exp(score)
		weights, means = append(weights, w), append(means, m)
		total += w
		mean += w * m
		within += w * (s - m*m)
	}
	if len(weights) != 25 {
		t.Fatalf("%d graphs", len(weights))
	}
	mean, within = mean/total, within/total
	for i, w := range weights {
		between += w / total * (means[i] - mean) * (means[i] - mean)
	}
	graphs, err := bnkit.GraphPosterior(t.Context(), df, nil, posterior.Exact{Draws: 10000, Seed: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := graphs.Posterior(t.Context(), infer.Evidence{"a": "1"}, "c")
	if err != nil {
		t.Fatal(err)
	}
	// Five standard errors of 10,000 draws, of which the variance of a variance is at most that of a normal one.
	sd := math.Sqrt(within + between)
	off := 5 * sd / math.Sqrt(10000)
	for i, want := range []float64{mean, math.Sqrt(within), math.Sqrt(between), sd} {
		if got := answer.Elem(1, 2+i).Float(); math.Abs(got-want) > off {
			t.Errorf("%s is %v, want %v ± %v", answer.Names()[2+i], got, want, off)
		}
	}
	t.Logf("mean %v, sd tables %v, graphs %v", mean, math.Sqrt(within), math.Sqrt(between))
}

// threeAcyclic reports whether a graph of three variables has no cycle.
func threeAcyclic(parents [3]int) bool {
	before := 0
	for range parents {
		for v, set := range parents {
			if set&^before == 0 {
				before |= 1 << v
			}
		}
	}
	return before == 7
}

func TestGraphPosteriorErrors(t *testing.T) {
	df := lawns()
	graphs, err := bnkit.GraphPosterior(t.Context(), df, structure.BIC{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := graphs.BlanketProbabilities("snow"); !errors.Is(err, bn.ErrUnknownVariable) ||
		!strings.Contains(err.Error(), "weekday") {
		t.Errorf("a blanket of no column: %v", err)
	}
	if _, err := graphs.Posterior(t.Context(), infer.Evidence{"rain": "snow"}, "grass"); err == nil {
		t.Error("no error of evidence that is no state")
	}
	if _, err := graphs.Posterior(t.Context(), nil, "snow"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("an unknown target: %v", err)
	}
	var wide []string
	for i := range 21 {
		wide = append(wide, fmt.Sprintf("x%d", i))
	}
	text := strings.Join(wide, ",") + "\n"
	for _, value := range []string{"no", "yes", "no", "yes"} {
		text += strings.TrimSuffix(strings.Repeat(value+",", 21), ",") + "\n"
	}
	_, err = bnkit.GraphPosterior(t.Context(), dataframe.ReadCSV(strings.NewReader(text)), nil, posterior.Exact{}, nil)
	if err == nil || !strings.Contains(err.Error(), "at most 20 variables") ||
		!strings.Contains(err.Error(), "posterior.Partitions{}") {
		t.Errorf("too many columns: %v", err)
	}
	if got := graphs.ArcProbabilities(); got.Nrow() != 6 || got.Elem(0, 2).Float() < got.Elem(5, 2).Float() {
		t.Errorf("arcs: %v", got)
	}
	if got := graphs.PathProbabilities(); got.Nrow() != 6 {
		t.Errorf("paths: %v", got)
	}
}
