package infer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/infer"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// Answers by plain sums over all 1,728 joint states, in R; see testdata/oracles.
func TestEnumerationOfClinic(t *testing.T) {
	net, err := bif.ReadFile(datatest.Oracle(t, "clinic.bif"))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, evidence := range []string{
		"cough=yes,age=middle", "xray=shadow,fever=high,season=summer", "smokes=yes,cough=no,xray=clear,cold=yes",
	} {
		t.Run(evidence, func(t *testing.T) {
			given := infer.Evidence{}
			for pair := range strings.SplitSeq(evidence, ",") {
				name, state, _ := strings.Cut(pair, "=")
				given[name] = state
			}
			logP, err := engine.LogProbability(given)
			if err != nil {
				t.Fatal(err)
			}
			p := datatest.OracleNumbers(t, "enumeration.txt", fmt.Sprintf("P(%s) ", evidence))
			numtest.Close(t, math.Exp(logP), p[0], 1e-12, 0)
			all, err := engine.Marginals(given)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range net.Variables() {
				if _, ok := given[v.Name]; ok {
					continue
				}
				want := datatest.OracleNumbers(t, "enumeration.txt", fmt.Sprintf("P(%s|%s) ", v.Name, evidence))
				for state, got := range all.Of(v.Name) {
					numtest.Close(t, got, want[state], 1e-12, 0)
				}
			}
			prefix := fmt.Sprintf("most probable|%s ", evidence)
			states, logJoint, err := engine.MostProbable(given)
			if err != nil {
				t.Fatal(err)
			}
			joint := datatest.OracleNumbers(t, "enumeration.txt", prefix)
			numtest.Close(t, math.Exp(logJoint), joint[0], 1e-12, 0)
			var pairs []string
			for _, v := range net.Variables() {
				pairs = append(pairs, v.Name+"="+states[v.Name])
			}
			datatest.OracleNumbers(t, "enumeration.txt", prefix+strings.Join(pairs, ",")+" joint P ")
		})
	}
}
