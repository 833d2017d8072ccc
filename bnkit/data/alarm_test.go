package data_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

// alarmModel is the structure of the ALARM network (Beinlich et al. 1989):
// 37 variables, 46 arcs, 752 table entries.
const alarmModel = `[HIST|LVF][CVP|LVV][PCWP|LVV][HYP][LVV|HYP:LVF][LVF][STKV|HYP:LVF][ERLO]
[HRBP|ERLO:HR][HREK|ERCA:HR][ERCA][HRSA|ERCA:HR][ANES][APL][TPR|APL][ECO2|ACO2:VLNG][KINK]
[MINV|INT:VLNG][FIO2][PVS|FIO2:VALV][SAO2|PVS:SHNT][PAP|PMB][PMB][SHNT|INT:PMB][INT]
[PRSS|INT:KINK:VTUB][DISC][MVS][VMCH|MVS][VTUB|DISC:VMCH][VLNG|INT:KINK:VTUB][VALV|INT:VLNG]
[ACO2|VALV][CCHL|ACO2:ANES:SAO2:TPR][HR|CCHL][CO|HR:STKV][BP|CO:TPR]`

// alarmStates are the kinds of state sets, by the variables that have them.
var alarmStates = map[string]string{
	"TRUE FALSE":                 "HIST HYP LVF ERLO ERCA ANES APL KINK PMB DISC",
	"LOW NORMAL HIGH":            "CVP PCWP LVV STKV HRBP HREK HRSA TPR PVS SAO2 PAP MVS ACO2 HR CO BP",
	"LOW NORMAL":                 "FIO2",
	"NORMAL HIGH":                "SHNT CCHL",
	"ZERO LOW NORMAL HIGH":       "ECO2 MINV PRSS VMCH VTUB VLNG VALV",
	"NORMAL ESOPHAGEAL ONESIDED": "INT",
}

// alarmNet is the ALARM structure with tables drawn at random, one state of each
// row much more likely than the others, as in the original.
func alarmNet(tb testing.TB) *bn.Network {
	tb.Helper()
	g, err := bn.ParseDAG(alarmModel)
	if err != nil {
		tb.Fatal(err)
	}
	vars := make([]bn.Variable, g.Len())
	for states, names := range alarmStates {
		for _, name := range strings.Fields(names) {
			v, err := g.Index(name)
			if err != nil {
				tb.Fatal(err)
			}
			vars[v] = bn.Discrete(name, strings.Fields(states)...)
		}
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		tb.Fatal(err)
	}
	randomise(net, rand.New(rand.NewPCG(1, 2)))
	if n, arcs := net.Layout().Len(), g.Arcs(); n != 752 || arcs != 46 {
		tb.Fatalf("the alarm network has %d entries and %d arcs, want 752 and 46", n, arcs)
	}
	return net
}

// randomise fills every table with rows that favour one state.
func randomise(net *bn.Network, rng *rand.Rand) {
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row := t.Row(config)
			sum := 0.0
			for s := range row {
				row[s] = rng.ExpFloat64()
				sum += row[s]
			}
			likely := rng.IntN(len(row))
			row[likely] += 4 * sum
			for s := range row {
				row[s] /= 5 * sum
			}
		}
	}
}
