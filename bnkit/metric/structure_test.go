package metric_test

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/metric"
)

func ExampleCompareDAGs() {
	truth, err := bn.ParseDAG("[asia][smoke][tub|asia][lung|smoke][either|tub:lung][xray|either]")
	if err != nil {
		log.Fatal(err)
	}
	learned, err := bn.ParseDAG("[smoke][lung|smoke][asia|tub][tub][either|tub:lung:smoke][xray]")
	if err != nil {
		log.Fatal(err)
	}
	c, err := metric.CompareDAGs(truth, learned)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output:
	// structural Hamming distance 3, between equivalence classes 2
	// arcs: precision 0.600, recall 0.600; without directions: precision 0.800, recall 0.800
	// common 3
	// reversed 1: asia → tub
	// missing 1: either → xray
	// extra 1: smoke → either
}

func dag(t *testing.T, model string) *bn.DAG {
	t.Helper()
	g, err := bn.ParseDAG(model)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Distances worked out by hand.
func TestCompareDAGs(t *testing.T) {
	for _, c := range []struct {
		name, truth, learned                   string
		common, reversed, missing, extra       int
		classes                                int
		precision, recall, sPrecision, sRecall float64
	}{
		{"the same in another order", "[A][B|A][C|A:B]", "[C|B:A][B|A][A]", 3, 0, 0, 0, 0, 1, 1, 1, 1},
		{"a chain turned round is the same class", "[A][B|A][C|B]", "[C][B|C][A|B]", 0, 2, 0, 0, 0, 0, 0, 1, 1},
		// the truth has A→B←C, the learned graph A–B–C: both pairs differ, in the graphs one arc
		{"a collider lost", "[A][C][B|A:C]", "[A][B|A][C|B]", 1, 1, 0, 0, 2, 0.5, 0.5, 1, 1},
		{"nothing learned", "[A][B|A][C]", "[A][B][C]", 0, 0, 1, 0, 1, 0, 0, 0, 0},
		{"nothing to learn", "[A][B][C]", "[A][B|A][C]", 0, 0, 0, 1, 1, 0, 0, 0, 0},
		// the extra arc A→C makes the collider complete, so all three are undirected
		{"an arc too many", "[A][C][B|A:C]", "[A][C|A][B|A:C]", 2, 0, 0, 1, 3, 2. / 3, 1, 2. / 3, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := metric.CompareDAGs(dag(t, c.truth), dag(t, c.learned))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Common) != c.common || len(got.Reversed) != c.reversed || len(got.Missing) != c.missing ||
				len(got.Extra) != c.extra {
				t.Errorf("arcs %v", got)
			}
			if got.Distance != c.reversed+c.missing+c.extra || got.ClassDistance != c.classes {
				t.Errorf("distances %d and %d, want %d and %d", got.Distance, got.ClassDistance,
					c.reversed+c.missing+c.extra, c.classes)
			}
			if got.Precision() != c.precision || got.Recall() != c.recall || got.SkeletonPrecision() != c.sPrecision ||
				got.SkeletonRecall() != c.sRecall {
				t.Errorf("precision %v, recall %v, skeleton %v, %v", got.Precision(), got.Recall(),
					got.SkeletonPrecision(), got.SkeletonRecall())
			}
		})
	}
}

// Laws of distances, on random pairs: symmetric, 0 between classes exactly for equivalent
// graphs, and the triangle holds.
func TestCompareDAGsLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	random := func() *bn.DAG {
		names, parents, order := make([]string, 4), make([][]int, 4), r.Perm(4)
		for v := range names {
			names[v] = string(rune('A' + v))
			for u := range names {
				if order[u] < order[v] && r.IntN(2) == 0 {
					parents[v] = append(parents[v], u)
				}
			}
		}
		g, err := bn.NewDAG(names, parents)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	compare := func(a, b *bn.DAG) metric.GraphComparison {
		c, err := metric.CompareDAGs(a, b)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for range 500 {
		a, b, c := random(), random(), random()
		ab, ba, bc, ac := compare(a, b), compare(b, a), compare(b, c), compare(a, c)
		if ab.Distance != ba.Distance || ab.ClassDistance != ba.ClassDistance || ab.Precision() != ba.Recall() {
			t.Errorf("%v and %v: %v, the other way %v", a, b, ab, ba)
		}
		if (ab.ClassDistance == 0) != a.Equivalent(b) {
			t.Errorf("%v and %v: distance of classes %d, equivalent %v", a, b, ab.ClassDistance, a.Equivalent(b))
		}
		if ac.Distance > ab.Distance+bc.Distance || ac.ClassDistance > ab.ClassDistance+bc.ClassDistance {
			t.Errorf("%v, %v, %v: no triangle", a, b, c)
		}
	}
}

func TestCompareDAGsErrors(t *testing.T) {
	_, err := metric.CompareDAGs(dag(t, "[A][B|A][X]"), dag(t, "[B][A|B][Y]"))
	if !errors.Is(err, bn.ErrUnknownVariable) || !strings.Contains(err.Error(), "first: X") ||
		!strings.Contains(err.Error(), "second: Y") {
		t.Errorf("different variables: %v", err)
	}
	if _, err := metric.CompareDAGs(dag(t, "[A]"), nil); err == nil {
		t.Error("no error for a missing graph")
	}
}
