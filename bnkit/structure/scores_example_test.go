package structure_test

import (
	"context"
	"fmt"
	"log"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// fewParents is a score of one's own: BIC, and three nats less for each arc.
type fewParents struct{ structure.BIC }

func (s fewParents) Family(c *structure.Counts) float64 {
	return s.BIC.Family(c) - 3*float64(len(c.Parents))
}

func (fewParents) String() string { return "BIC less 3 for each arc" }

// One graph, rated in every way from one pass over the cases.
func ExampleScore() {
	ctx := context.Background()
	g, err := bn.ParseDAG("[rain][sprinkler|rain][grass|sprinkler:rain]")
	if err != nil {
		log.Fatal(err)
	}
	s, err := structure.NewScorer(sprinkler(2000), structure.BIC{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, score := range []structure.Score{structure.LogLikelihood{}, structure.AIC{}, structure.BIC{}, fewParents{},
		structure.K2{}, structure.BDeu{EquivalentSampleSize: 10}, structure.BDe{EquivalentSampleSize: 10}} {
		with, err := s.With(score)
		if err != nil {
			log.Fatal(err)
		}
		total, _, err := with.Score(ctx, g)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.1f %v\n", total, score)
	}
	// Output:
	// -2665.4 log-likelihood
	// -2672.4 AIC
	// -2692.0 BIC
	// -2701.0 BIC less 3 for each arc
	// -2689.2 K2
	// -2694.6 BDeu with equivalent sample size 10
	// -2694.6 BDe with equivalent sample size 10
}

// A third of the readings of the grass are lost, whatever they were. Families with lost cells score too well when
// they are scored from fewer rows; NodeAverage makes up for it.
func ExampleMissing() {
	cols := sprinkler(2000).Columns()
	for row := range cols[2].States {
		if row%3 == 0 {
			cols[2].States[row] = bn.Missing
		}
	}
	holed, err := data.New(cols...)
	if err != nil {
		log.Fatal(err)
	}
	for _, policy := range []structure.Missing{structure.RefuseMissing, structure.CompleteCases,
		structure.NodeAverage} {
		found, err := structure.Learn(context.Background(), holed, structure.BIC{}, structure.HillClimb{},
			&structure.Settings{Missing: policy})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%v: %v\n", policy, found.DAG)
	}
	// Output:
	// structure: data: row 1, column "grass", value "": missing value; choose structure.CompleteCases or structure.NodeAverage
	// each family from the rows complete in it: [rain|grass][sprinkler|rain:grass][grass]
	// mean log-likelihood of each family's complete rows, times all rows: [rain][sprinkler|rain][grass|rain:sprinkler]
}

// A search that also goes down, less and less: from temperature 10, in nats, to 0.1.
func ExampleAnnealing() {
	found, err := structure.Learn(context.Background(), sprinkler(2000), structure.BIC{},
		structure.Annealing{Seed: 1, Moves: 500, Cooling: structure.Cooling{First: 10, Last: 0.1}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.DAG.Len(), "variables,", len(found.Arcs()), "arcs by", found.Search)
	// Output:
	// 3 variables, 3 arcs by annealing over graphs, 500 moves
}
