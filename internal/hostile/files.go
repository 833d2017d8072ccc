package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/arff"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/hpm"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/knowledge"
	"bnlab/internal/bids"
	"bnlab/internal/matfile"
	"bnlab/internal/matfile/mattest"
	"bnlab/internal/nifti"
	"bnlab/internal/nifti/niftitest"
	"bnlab/internal/say"
)

// A reader of files: write makes a sound one about a network, read says what it has to say of one.
type reader struct {
	file  string
	write func(t *trial, net *bn.Network, path string) error
	read  func(path string) (notes []string, err error)
}

var readers = []reader{
	{"a.bif", writeNetwork, readNetwork}, {"a.xml", writeNetwork, readNetwork}, {"a.net", writeNetwork, readNetwork},
	{"a.xdsl", writeNetwork, readNetwork}, {"a.dne", writeNetwork, readNetwork}, {"a.dsc", writeNetwork, readNetwork},
	{"a.uai", writeNetwork, readNetwork},
	{"a.dsl", text("net N { node a { TYPE = CPT; HEADER = { ID = a; NAME = \"A\"; }; PARENTS = (); DEFINITION = { " +
		"NAMESTATES = (p, \"q r\"); PROBABILITIES = (0.25, 0.75); }; }; node d { TYPE = TRUTHTABLE; PARENTS = (a); " +
		"DEFINITION = { NAMESTATES = (u, v); RESULTING_STATES = (v, u); }; }; };"), readNetwork},
	{"a.dot", writeGraph, readGraph}, {"a.graphml", writeGraph, readGraph},
	{"a.json", writeModel, func(path string) ([]string, error) { _, err := bnkit.Load(path); return nil, err }},
	{"series.json", writeSeries,
		func(path string) ([]string, error) { _, err := bnkit.LoadSeries(path); return nil, err }},
	{"a.csv", writeCSV, readCSV},
	{"a.arff", func(t *trial, net *bn.Network, path string) error { return arff.Write(path, cases(t.rng, net)) },
		func(path string) ([]string, error) { _, err := arff.Read(path, nil); return nil, err }},
	{"a.parquet", func(t *trial, net *bn.Network, path string) error { return parquet.Write(path, cases(t.rng, net)) },
		func(path string) ([]string, error) { _, err := parquet.Read(path, nil); return nil, err }},
	{"a.yaml", writeKnowledge, readKnowledge},
	{"statements.json", writeStatements, readStatements},
	{"events.tsv", text("onset\tduration\ttrial_type\tresponse\n0.5\t1\tface\t2\n3\t1\thouse\tn/a\n7.25\t0\tface\t1\n"),
		func(path string) ([]string, error) { _, err := bids.ReadEvents(path, "trial_type"); return nil, err }},
	{"a.nii", writeImage, readImage},
	{"a.mat", writeMATLAB,
		func(path string) ([]string, error) { _, err := matfile.ReadFile(path, nil); return nil, err }},
	{"signal.csv", text("trial,image,v1,v2\n1,1,0.5,2\n1,2,-1,3e2\n2,1,4,5\n2,2,6,7\n"),
		func(path string) ([]string, error) {
			onsets := filepath.Join(filepath.Dir(path), "onsets.csv")
			if err := os.WriteFile(onsets, []byte("trial,process,image\n1,look,1\n2,look,2\n"), 0o600); err != nil {
				return nil, err
			}
			_, err := hpm.CSV{}.Read(path, onsets)
			return nil, err
		}},
}

// tryFiles changes a sound file and reads it. Whatever comes of it ends, does not panic, and what it says is short and
// has nothing that a terminal would obey.
func tryFiles(t *trial) (string, error) {
	r := readers[t.rng.IntN(len(readers))]
	path := filepath.Join(t.dir, r.file)
	if err := r.write(t, infertest.Random(t.rng, 1+t.rng.IntN(4), 0.2), path); err != nil {
		return "", err
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if _, err := r.read(path); err != nil {
		return "", say.Errorf("%s as it was written: %w\n%s", r.file, err, sound)
	}
	mutant := mutate(t.rng, sound)
	if err := os.WriteFile(path, mutant, 0o600); err != nil {
		return "", err
	}
	notes, refused := r.read(path)
	if refused != nil {
		notes = append(notes, refused.Error())
	}
	for _, note := range notes {
		if err := presentable(note); err != nil {
			return "", say.Errorf("%s: %w", r.file, err)
		}
	}
	if refused == nil {
		return r.file + ", still read", nil
	}
	return r.file + ", refused", nil
}

// presentable is an error for a text that no terminal should get.
func presentable(s string) error {
	for _, r := range s {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return say.Errorf("the text has %+q: %q", r, s)
		}
	}
	if len(s) > 9000 {
		return say.Errorf("the text has %d bytes: %s", len(s), s)
	}
	return nil
}

func text(file string) func(*trial, *bn.Network, string) error {
	return func(_ *trial, _ *bn.Network, path string) error { return os.WriteFile(path, []byte(file), 0o600) }
}

func cases(rng *rand.Rand, net *bn.Network) *data.Table {
	return must(data.Sample(net, 1+rng.IntN(8), rng))
}

func writeNetwork(_ *trial, net *bn.Network, path string) error {
	_, err := format.Write(path, &format.File{Network: net})
	return err
}

func readNetwork(path string) ([]string, error) {
	f, err := format.Read(path)
	if err != nil {
		return nil, err
	}
	if err := f.Network.Validate(); err != nil {
		panic(err)
	}
	return f.Lost, nil
}

func writeGraph(_ *trial, net *bn.Network, path string) error {
	return format.WriteGraph(path, net.DAG())
}

func readGraph(path string) ([]string, error) {
	_, err := format.ReadGraph(path)
	return nil, err
}

func writeModel(_ *trial, net *bn.Network, path string) error {
	return bnkit.Save(path, bnkit.ModelOf(net))
}

func writeSeries(_ *trial, _ *bn.Network, path string) error {
	net := must(dbn.New("[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes")))
	return bnkit.SaveSeries(path, net)
}

func writeCSV(t *trial, net *bn.Network, path string) error {
	return cases(t.rng, net).WriteCSVFile(path)
}

func readCSV(path string) (notes []string, err error) {
	opts := &data.CSVOptions{Note: func(note string) { notes = append(notes, note) }}
	_, err = data.ReadCSVFile(path, opts)
	return notes, err
}

// someStatements are about the first variable with a parent, if any.
func someStatements(net *bn.Network) []constraint.Constraint {
	for v := range net.Len() {
		x := net.Variable(v)
		if len(net.DAG().Parents(v)) > 0 {
			p := net.Variable(net.DAG().Parents(v)[0])
			return []constraint.Constraint{
				constraint.Influence{Parent: p.Name, Child: x.Name},
				constraint.AtMost{Var: x.Name, States: x.States[:1], Given: bn.Given{p.Name: p.States[0]}, P: 0.9},
				constraint.Fixed{Var: x.Name, P: map[string]float64{x.States[0]: 0.25}},
			}
		}
	}
	return nil
}

func writeKnowledge(_ *trial, net *bn.Network, path string) error {
	k := &knowledge.File{Title: "t", Model: net.String()}
	for _, v := range net.Variables() {
		k.Variables = append(k.Variables, knowledge.Variable{Name: v.Name, States: v.States})
	}
	for _, s := range someStatements(net) {
		k.Entries = append(k.Entries, knowledge.Entry{Statement: s, Source: "a paper"})
	}
	return k.Write(path)
}

func readKnowledge(path string) ([]string, error) {
	k, err := knowledge.Read(path)
	if err == nil && k.Model != "" {
		_, err = k.Network()
	}
	return nil, err
}

func writeStatements(_ *trial, net *bn.Network, path string) error {
	b, err := constraint.Marshal(someStatements(net))
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

func readStatements(path string) ([]string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, err = constraint.Unmarshal(b)
	return nil, err
}

func writeImage(t *trial, _ *bn.Network, path string) error {
	b := niftitest.Float32([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2).File()
	if t.rng.IntN(2) == 0 {
		b = niftitest.Gzip(b)
	}
	return os.WriteFile(path, b, 0o600)
}

func readImage(path string) ([]string, error) {
	r, err := nifti.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		if _, err := r.Next(nil, nil); errors.Is(err, io.EOF) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
	}
}

func writeMATLAB(t *trial, _ *bn.Network, path string) error {
	w := mattest.Little()
	if t.rng.IntN(2) == 0 {
		w = mattest.Big()
	}
	x := w.Double("x", 3, 1, 2, 3)
	if t.rng.IntN(2) == 0 {
		x = w.Compressed(x)
	}
	return os.WriteFile(path, w.File(x, w.Text("t", "a"), w.Cell("c", w.Double("", 1, 1)),
		w.Struct("s", []string{"f", "g"}, w.Text("", "b"), w.Double("", 1, 2))), 0o600)
}
