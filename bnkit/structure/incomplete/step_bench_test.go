package incomplete

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/structure"
	"bnlab/internal/datatest"
)

// BenchmarkStep is one step of the graph on the insurance network with the 12 hidden variables of R95 §7, 1,000 rows:
// a climb by expected counts from the true graph, tables for what it finds, and EM.
func BenchmarkStep(b *testing.B) {
	net, err := bif.ReadFile(datatest.Path(b, "networks/insurance.bif"))
	if err != nil {
		b.Fatal(err)
	}
	table, err := data.Sample(net, 1000, rand.NewPCG(1, 1))
	if err != nil {
		b.Fatal(err)
	}
	table, err = table.Keep("GoodStudent", "Age", "VehicleYear", "MakeModel", "Mileage", "Antilock", "SeniorTrain",
		"HomeBase", "AntiTheft", "PropCost", "OtherCar", "MedCost", "Airbag", "ILiCost", "DrivHist")
	if err != nil {
		b.Fatal(err)
	}
	vars := append([]bn.Variable(nil), table.Variables()...)
	hidden := make(map[string]int)
	for v := range net.Len() {
		if _, err := table.Column(net.Variable(v).Name); err != nil {
			vars = append(vars, net.Variable(v))
			hidden[net.Variable(v).Name] = net.Variable(v).Cardinality()
		}
	}
	r, err := StructuralEM{Hidden: hidden}.newRun(b.Context(), table, structure.BIC{}, nil,
		&structure.Settings{Workers: 1, Rules: &structure.Rules{Start: net.DAG()}})
	if err != nil {
		b.Fatal(err)
	}
	g, err := r.legal(vars, r.startOf(vars))
	if err != nil {
		b.Fatal(err)
	}
	st, err := r.fit(b.Context(), vars, g, nil, 1, firstIterations)
	if err != nil {
		b.Fatal(err)
	}
	var next *state
	for b.Loop() {
		fresh, err := r.fit(b.Context(), vars, g, st.net, 1, 1) // without counts that are kept
		if err == nil {
			next, err = r.step(b.Context(), fresh)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if next != nil {
		b.ReportMetric(next.objective-st.objective, "nats")
		b.ReportMetric(float64(next.graph.Arcs()), "arcs")
	}
}
