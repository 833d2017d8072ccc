package nb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"sync"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/notnull"
)

// A liveExplorer answers what an explorer asks while its cell runs.
type liveExplorer struct {
	models  []bn.Model
	engines []*infer.Engine
	mu      sync.Mutex
}

// A liveQuestion has the likelihoods of the states of each variable with a finding.
type liveQuestion struct {
	Findings []liveFinding `json:"findings"`
	Target   int           `json:"target"`
}

// A liveFinding is [variable, [likelihood, …]].
type liveFinding struct {
	Var     int
	Weights []float64
}

func (f *liveFinding) UnmarshalJSON(b []byte) error {
	var parts [2]json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	return errors.Join(notnull.Unmarshal(parts[0], &f.Var), notnull.Unmarshal(parts[1], &f.Weights))
}

// A liveAnswer repeats the question, by which the explorer knows whether it is still the one. Of each model it has the
// distributions, null where the findings cannot occur, and what matters for the target.
type liveAnswer struct {
	Question string           `json:"question"`
	Answers  []*liveMarginals `json:"answers"`
	Matters  [][]liveNats     `json:"matters"`
	Error    string           `json:"error,omitempty"`
	End      bool             `json:"end,omitempty"`
}

type liveMarginals struct {
	P   [][]float64 `json:"p"`
	Log float64     `json:"log"`
}

type liveNats struct {
	Var  int     `json:"v"`
	Nats float64 `json:"nats"`
}

func newLiveExplorer(models ...bn.Model) (*liveExplorer, error) {
	l := &liveExplorer{}
	for _, m := range models {
		if m == nil {
			continue
		}
		e, err := infer.New(m.Network(), nil)
		if err != nil {
			return nil, err
		}
		l.models, l.engines = append(l.models, m), append(l.engines, e)
	}
	return l, nil
}

// answer answers a question, both in JSON.
func (l *liveExplorer) answer(question string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := liveAnswer{Question: question}
	if err := l.ask(question, &a); err != nil {
		a.Error = err.Error()
	}
	b, err := json.Marshal(a)
	if err != nil {
		b, _ = json.Marshal(liveAnswer{Question: question, Error: err.Error()})
	}
	return string(b)
}

func (l *liveExplorer) ask(question string, a *liveAnswer) error {
	var q liveQuestion
	if err := notnull.Unmarshal([]byte(question), &q); err != nil {
		return err
	}
	net := l.models[0].Network()
	if q.Target < 0 || q.Target >= net.Len() {
		return fmt.Errorf("there is no variable %d", q.Target)
	}
	evidence := infer.Evidence{}
	for _, f := range q.Findings {
		if f.Var < 0 || f.Var >= net.Len() || len(f.Weights) != len(net.Variable(f.Var).States) {
			return fmt.Errorf("there is no variable %d with %d states", f.Var, len(f.Weights))
		}
		evidence[net.Variable(f.Var).Name] = findingOf(net.Variable(f.Var).States, f.Weights)
	}
	for i, e := range l.engines {
		found, err := e.Marginals(evidence)
		if errors.Is(err, infer.ErrImpossibleEvidence) {
			a.Answers, a.Matters = append(a.Answers, nil), append(a.Matters, []liveNats{})
			continue
		}
		if err != nil {
			return err
		}
		log, err := e.LogProbability(evidence)
		if err != nil {
			return err
		}
		a.Answers = append(a.Answers, &liveMarginals{found.P, log})
		nats := []liveNats{}
		target := net.Variable(q.Target).Name
		if _, observed := evidence[target].(string); !observed {
			df, err := bnkit.WhatMatters(l.models[i], evidence, target, nil)
			if err != nil {
				return err
			}
			for row, name := range df.Col("variable").Records() {
				v, err := net.Index(name)
				if err != nil {
					return err
				}
				nats = append(nats, liveNats{v, df.Col("information").Elem(row).Float()})
			}
		}
		a.Matters = append(a.Matters, nats)
	}
	return nil
}

// findingOf writes likelihoods as a state where that is what they say.
func findingOf(states []string, weights []float64) any {
	likelihood, possible := infer.Likelihood{}, ""
	n := 0
	for s, w := range weights {
		if likelihood[states[s]] = w; w > 0 {
			possible = states[s]
			n++
		}
	}
	if n == 1 && likelihood[possible] == 1 {
		return possible
	}
	return likelihood
}

// serve answers until the context ends, and says so then. subscribe and send carry messages to an address.
func (l *liveExplorer) serve(ctx context.Context, address string, subscribe func(string, func(string)),
	send func(string, string)) {
	subscribe(address+"/question", func(question string) { send(address+"/answer", l.answer(question)) })
	<-ctx.Done()
	b, _ := json.Marshal(liveAnswer{End: true})
	send(address+"/answer", string(b))
}

// inNotebook carries messages between this cell's program and the page, by GoNB's channel for widgets.
func (l *liveExplorer) inNotebook(address string) {
	if !gonbui.IsNotebook {
		return
	}
	Println("The explorer asks this cell, which goes on until it is interrupted.")
	l.serve(Context(), address, func(address string, callback func(string)) {
		comms.Subscribe(address, func(_, question string) { callback(question) })
	}, comms.Send[string])
	gonbui.Sync()
}

// addressOf is where an explorer and its cell meet: no other explorer in the page has it, unless it is of the same.
func addressOf(d *exploreData) (string, error) {
	b, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	h := fnv.New64a()
	h.Write(b)
	return "/bnlab/explore/" + strconv.FormatUint(h.Sum64(), 36), nil
}
