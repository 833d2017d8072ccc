package parquet_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/format/parquet"
	"bnlab/internal/datatest"
)

// alarm samples rows of the alarm network.
func alarm(t testing.TB, rows int) *data.Table {
	t.Helper()
	net, err := bif.ReadFile(datatest.Path(t, "networks/alarm.bif"))
	if err != nil {
		t.Fatal(err)
	}
	sample, err := data.Sample(net, rows, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	return sample
}

func BenchmarkWrite(b *testing.B) {
	cases := alarm(b, 1_000_000)
	path := filepath.Join(b.TempDir(), "alarm.parquet")
	b.ReportAllocs()
	for b.Loop() {
		if err := parquet.Write(path, cases); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(cases.Rows() * len(cases.Columns()) * 2))
	b.ReportMetric(float64(info.Size())/float64(cases.Rows()), "B/row")
}

func BenchmarkRead(b *testing.B) {
	cases := alarm(b, 1_000_000)
	path := filepath.Join(b.TempDir(), "alarm.parquet")
	if err := parquet.Write(path, cases); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(cases.Rows() * len(cases.Columns()) * 2))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parquet.Read(path, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestReadMemory: a table keeps no room beyond its rows. What decoding makes besides depends on the processor.
func TestReadMemory(t *testing.T) {
	net, err := bif.ReadFile("../../../testdata/networks/asia.bif")
	if err != nil {
		t.Fatal(err)
	}
	want, err := data.Sample(net, 300_000, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "asia.parquet")
	if err := parquet.Write(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := parquet.Read(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Columns() {
		if cap(c.States) != want.Rows() {
			t.Errorf("%s: room for %d rows, want %d", c.Var.Name, cap(c.States), want.Rows())
		}
	}
}

// mixed has states, numbers, gaps and a state that looks like a gap.
func mixed(t testing.TB) *data.Table {
	t.Helper()
	table, err := data.ReadCSV(
		strings.NewReader("a,x,size,code\nhigh,1.5,3,NA\nlow,?,?,b\n?,-2e-300,1,?\nhigh,0,3,b\n"), &data.CSVOptions{
			States: map[string][]string{"a": {"low", "middle", "high"}, "code": {"b", "NA"}}, Missing: []string{"?"},
		})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mixed.parquet")
	weighted, err := mixed(t).WithWeights([]float64{1, 0.5, 0, 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []*data.Table{mixed(t), weighted} {
		opts := &parquet.Options{}
		if want.Weights() != nil {
			opts.Weight = "weight"
		}
		if err := parquet.Write(path, want); err != nil {
			t.Fatal(err)
		}
		got, err := parquet.Read(path, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got.Hash() != want.Hash() {
			t.Errorf("read %v, want %v", got, want)
		}
	}
}
