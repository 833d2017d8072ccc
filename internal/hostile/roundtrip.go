package main

import (
	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/arff"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/knowledge"
	"bnlab/internal/say"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// different says how a network that came back differs.
func different(want, got *bn.Network) error {
	if want.Len() != got.Len() {
		return say.Errorf("%d variables came back as %d", want.Len(), got.Len())
	}
	for v := range want.Len() {
		w, err := got.Index(want.Variable(v).Name)
		if err != nil {
			return say.Errorf("did not come back: %w", err)
		}
		if !want.Variable(v).Equal(got.Variable(w)) {
			return say.Errorf("%+q came back with the states %+q", want.Variable(v).States, got.Variable(w).States)
		}
		for i, p := range want.CPT(v).P {
			if !(math.Abs(p-got.CPT(w).P[i]) < 1e-12) {
				return say.Errorf("the table of %+q came back otherwise", want.Variable(v).Name)
			}
		}
	}
	return nil
}

func throughNetworkFile(t *trial, net *bn.Network) error {
	extension := []string{"bif", "xml", "net", "xdsl", "dne", "dsc", "uai"}[t.rng.IntN(7)]
	path := filepath.Join(t.dir, "n."+extension)
	lost, err := format.Write(path, &format.File{Network: net})
	if err != nil {
		return refused(err)
	}
	f, err := format.Read(path)
	if errors.Is(err, bn.ErrTooLarge) {
		return refused(err)
	}
	if err != nil {
		return say.Errorf(".%s: what was written is not read: %w", extension, err)
	}
	for _, s := range slices.Concat(lost, f.Lost) {
		if err := presentable(s); err != nil {
			return err
		}
	}
	if len(lost) > 0 {
		return nil
	}
	if err := different(net, f.Network); err != nil {
		return say.Errorf(".%s, of which nothing is said to be lost: %w", extension, err)
	}
	return nil
}

func throughModel(t *trial, net *bn.Network) error {
	path := filepath.Join(t.dir, "n.json")
	if err := bnkit.Save(path, bnkit.ModelOf(net)); err != nil {
		return refused(err)
	}
	m, err := bnkit.Load(path)
	if err != nil {
		return say.Errorf("what was saved is not loaded: %w", err)
	}
	return different(net, m.Net)
}

func throughTable(t *trial, net *bn.Network) error {
	want := cases(t.rng, net)
	var got *data.Table
	var err error
	switch t.rng.IntN(4) {
	case 0:
		return throughSpreadsheet(want)
	case 1:
		path := filepath.Join(t.dir, "n.csv")
		if err := want.WriteCSVFile(path); err != nil {
			return refused(err)
		}
		got, err = data.ReadCSVFile(path, &data.CSVOptions{States: data.StatesOf(net.Variables()...), KeepSpace: true,
			Note: func(string) {}})
	case 2:
		path := filepath.Join(t.dir, "n.arff")
		if err := arff.Write(path, want); err != nil {
			return refused(err)
		}
		got, err = arff.Read(path, nil)
	default:
		path := filepath.Join(t.dir, "n.parquet")
		if err := parquet.Write(path, want); err != nil {
			return refused(err)
		}
		got, err = parquet.Read(path, nil)
	}
	if err != nil {
		return say.Errorf("what was written is not read: %w", err)
	}
	for i, c := range want.Columns() {
		same, err := got.Column(c.Var.Name)
		if err != nil {
			return err
		}
		for row := range want.Rows() {
			if c.Text(row) != same.Text(row) {
				return say.Errorf("column %d, row %d: %+q came back as %+q", i, row, c.Text(row), same.Text(row))
			}
		}
	}
	return nil
}

// throughSpreadsheet writes what somebody will open in a spreadsheet, and reads it as that does.
func throughSpreadsheet(table *data.Table) error {
	var b bytes.Buffer
	if err := table.WriteCSV(&b, data.ForSpreadsheet); err != nil {
		return refused(err)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		return err
	}
	for _, record := range records {
		for _, cell := range record {
			_, notNumber := strconv.ParseFloat(cell, 64)
			if notNumber != nil && len(cell) > 1 && strings.IndexByte("=+-@", cell[0]) >= 0 {
				return say.Errorf("a spreadsheet computes %+q", cell)
			}
		}
	}
	return nil
}

func throughGraph(t *trial, net *bn.Network) error {
	path := filepath.Join(t.dir, "n."+[]string{"dot", "graphml"}[t.rng.IntN(2)])
	if err := format.WriteGraph(path, net.DAG()); err != nil {
		return refused(err)
	}
	g, err := format.ReadGraph(path)
	if err != nil {
		return say.Errorf("%s: what was written is not read: %w", filepath.Ext(path), err)
	}
	for v, name := range net.Names() {
		if g.Len() != net.Len() || g.Name(v) != name {
			return say.Errorf("%s: %+q did not come back", filepath.Ext(path), name)
		}
	}
	return nil
}

func throughKnowledge(t *trial, net *bn.Network) error {
	k := &knowledge.File{Title: name(t.rng), Model: net.String()}
	for _, v := range net.Variables() {
		k.Variables = append(k.Variables, knowledge.Variable{Name: v.Name, States: v.States})
	}
	for _, s := range someStatements(net) {
		k.Entries = append(k.Entries, knowledge.Entry{Statement: s, Source: name(t.rng)})
	}
	path := filepath.Join(t.dir, "n.yaml")
	if err := k.Write(path); err != nil {
		return refused(err)
	}
	again, err := knowledge.Read(path)
	if err != nil {
		return say.Errorf("what was written is not read: %w", err)
	}
	for i, v := range again.Variables {
		if w := k.Variables[i]; v.Name != w.Name || !slices.Equal(v.States, w.States) {
			return say.Errorf("%+q came back as %+q, %+q", w.Name, v.Name, v.States)
		}
	}
	for i, e := range again.Entries {
		if e.Source != k.Entries[i].Source || fmt.Sprint(e.Statement) != fmt.Sprint(k.Entries[i].Statement) {
			return say.Errorf("entry %d came back as %+q", i, fmt.Sprint(e))
		}
	}
	if again.Model != k.Model || again.Title != k.Title {
		return say.Errorf("the model or title came back as %+q, %+q", again.Model, again.Title)
	}
	return nil
}
