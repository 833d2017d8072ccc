package scale

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/bif"
	"bnlab/datasets"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Names of the networks.
const (
	alarm   = "alarm"
	standIn = "alarm's structure with random tables"
)

// network returns ALARM as the Bayesian Network Repository has it, or a stand-in where that
// cannot be had, and its name.
func network(ctx context.Context, job *run.Job, src rand.Source) (*bn.Network, string, error) {
	file, err := datasets.Open(ctx, "networks/alarm.bif", nil)
	if errors.Is(err, datasets.ErrNotAvailable) {
		job.LacksData(err)
		net, err := drawn(src)
		return net, standIn, err
	}
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	net, _, err := bif.Read(file)
	return net, alarm, err
}

// structureOfAlarm is that of Beinlich, Suermondt, Chavez and Cooper (1989), The ALARM monitoring
// system, with the short names that are usual.
const structureOfAlarm = `[HIST|LVF][CVP|LVV][PCWP|LVV][HYP][LVV|HYP:LVF][LVF][STKV|HYP:LVF][ERLO]
[HRBP|ERLO:HR][HREK|ERCA:HR][ERCA][HRSA|ERCA:HR][ANES][APL][TPR|APL][ECO2|ACO2:VLNG][KINK]
[MINV|INT:VLNG][FIO2][PVS|FIO2:VALV][SAO2|PVS:SHNT][PAP|PMB][PMB][SHNT|INT:PMB][INT]
[PRSS|INT:KINK:VTUB][DISC][MVS][VMCH|MVS][VTUB|DISC:VMCH][VLNG|INT:KINK:VTUB][VALV|INT:VLNG]
[ACO2|VALV][CCHL|ACO2:ANES:SAO2:TPR][HR|CCHL][CO|HR:STKV][BP|CO:TPR]`

// statesOfAlarm are the variables by their states.
var statesOfAlarm = []struct{ states, variables string }{
	{"true false", "HIST HYP LVF ERLO ERCA ANES APL KINK PMB DISC"},
	{"low normal high", "CVP PCWP LVV STKV HRBP HREK HRSA TPR PVS SAO2 PAP MVS ACO2 HR CO BP"},
	{"low normal", "FIO2"},
	{"normal high", "SHNT CCHL"},
	{"zero low normal high", "ECO2 MINV PRSS VMCH VTUB VLNG VALV"},
	{"normal oesophageal onesided", "INT"},
}

// drawn is the structure with tables of which each row has 0.8 on a state drawn at random,
// and the rest spread at random.
func drawn(src rand.Source) (*bn.Network, error) {
	states := make(map[string][]string)
	for _, kind := range statesOfAlarm {
		for _, name := range strings.Fields(kind.variables) {
			states[name] = strings.Fields(kind.states)
		}
	}
	dag, err := bn.ParseDAG(structureOfAlarm)
	if err != nil {
		return nil, err
	}
	vars := make([]bn.Variable, dag.Len())
	for v := range vars {
		name := dag.Name(v)
		vars[v] = bn.Discrete(name, states[name]...)
	}
	net, err := bn.New(structureOfAlarm, vars...)
	if err != nil {
		return nil, say.Errorf("scale: %w", err)
	}
	rng := rand.New(src)
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, sum := t.Row(config), 0.0
			for state := range row {
				row[state] = rng.ExpFloat64()
				sum += row[state]
			}
			for state := range row {
				row[state] *= 0.2 / sum
			}
			row[rng.IntN(len(row))] += 0.8
		}
	}
	return net, net.Validate()
}
