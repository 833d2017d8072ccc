package knowledge_test

import (
	"fmt"
	"os"
	"path/filepath"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

// What is known of a network stands in a file, usually read by [knowledge.Read].
func ExampleParse() {
	k, err := knowledge.Parse("breast.yaml", []byte(`
title: recurrence of breast cancer
network: "[age][grade][recurrence|age:grade]"
variables:
  - {name: age, states: [below 50, 50 and over], from: [50]}
  - {name: grade, states: [low, high], column: deg-malig, values: {low: [1, 2], high: [3]}}
  - {name: recurrence, states: [no, yes]}
statements:
  - influence: {parent: grade, child: recurrence, sign: positive}
    source: Y13 §5
    mark: P
  - at-most: {of: recurrence, given: {grade: low}, states: [yes], p: 0.5}
    source: a guess
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, sentence := range k.Sentences() {
		fmt.Printf("%s (%s)\n", sentence, k.Entries[i].Source)
	}
	net, err := k.Network()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(net, k.Check(net))
	// Output:
	// higher states of grade make higher states of recurrence more likely (Y13 §5)
	// P(recurrence=yes | grade=low) ≤ 0.5 (a guess)
	// [age][grade][recurrence|age:grade] <nil>
}

func ExampleRead() {
	dir, err := os.MkdirTemp("", "knowledge")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "ill.yaml")
	if err := os.WriteFile(path, []byte(`network: "[age][ill|age]"
variables:
  - {name: age, states: [young, old]}
  - {name: ill, states: [no, yes]}
statements:
  - influence: {parent: age, child: ill, sign: positive}
    source: the ward's nurses
`), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	k, err := knowledge.Read(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, sentence := range k.Sentences() {
		fmt.Printf("%s (%s)\n", sentence, k.Entries[i].Source)
	}
	// Output:
	// higher states of age make higher states of ill more likely (the ward's nurses)
}

// What is wrong is said with its place.
func ExampleFile_Check() {
	k, err := knowledge.Parse("ill.yaml", []byte(`network: "[age][ill|age]"
variables:
  - {name: age, states: [young, old]}
  - {name: ill, states: [no, yes]}
statements:
  - influence: {parent: aeg, child: ill, sign: positive}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := k.Network()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Check(net))
	// Output:
	// knowledge: ill.yaml, line 6, column 25, statement 1: unknown variable "aeg" (did you mean "age"?); the variables are age, ill
}

// Statements made in a program are written for others to read.
func ExampleFile_Marshal() {
	k := &knowledge.File{Title: "pain", Entries: []knowledge.Entry{{
		Statement: constraint.AtLeast{Var: "pain", Given: map[string]string{"disease": "attack"},
			States: []string{"yes"}, P: 0.9},
		Source:   "Dr Meier, by letter",
		Strength: 0.8,
	}}}
	b, err := k.Marshal()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", b)
	// Output:
	// title: pain
	// statements:
	//   - at-least: {of: pain, given: {disease: attack}, states: [yes], p: 0.9}
	//     source: "Dr Meier, by letter"
	//     strength: likely
}

func ExampleVariable_State() {
	age := knowledge.Variable{Name: "age", States: []string{"young", "old"}, From: []float64{50}}
	for _, cell := range []string{"49", "50-59", "70+"} {
		state, err := age.State(cell)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(cell, age.States[state])
	}
	_, err := age.State("45-54")
	fmt.Println(err)
	// Output:
	// 49 young
	// 50-59 old
	// 70+ old
	// unknown state: the band lies on both sides of a cut of "age" ([50]); move the cut to an end of the bands
}

// The six learners of Y13 are told more and more.
func ExampleLearner_Select() {
	all := []constraint.Constraint{
		constraint.Influence{Parent: "age", Child: "ill"},
		constraint.Synergy{Parents: []string{"age", "sex"}, Child: "ill"},
		constraint.NoisyOR{Child: "ill", Sets: [][]string{{"age", "sex"}, {"diet"}}},
	}
	for _, l := range knowledge.Learners() {
		fmt.Println(l, len(l.Select(all)))
	}
	// Output:
	// none 0
	// noisy-or 1
	// monotone 1
	// synergy 2
	// monotone+noisy-or 2
	// synergy+noisy-or 3
}
