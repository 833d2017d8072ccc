package data_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"bnlab/bnkit/data"
)

// BenchmarkReadCSV reads 100,000 rows on one core: the 37 columns of states of
// ALARM, quoted as R writes them, and ten numbers beside ten states.
func BenchmarkReadCSV(b *testing.B) {
	alarm, err := data.Sample(alarmNet(b), 100_000, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	var plain bytes.Buffer
	if err := alarm.WriteCSV(&plain); err != nil {
		b.Fatal(err)
	}
	quoted := `"` + strings.NewReplacer(",", `","`, "\n", "\"\n\"").Replace(strings.TrimSuffix(plain.String(), "\n")) +
		"\"\n"

	rng := rand.New(rand.NewPCG(2, 0))
	var mixed bytes.Buffer
	for c := range 20 {
		fmt.Fprintf(&mixed, "v%d%c", c, ",\n"[c/19])
	}
	for range 100_000 {
		for c := range 10 {
			if c%2 == 0 {
				fmt.Fprintf(&mixed, "%.4f,", 100*rng.NormFloat64())
			} else {
				fmt.Fprintf(&mixed, "%d,", rng.IntN(1000))
			}
			fmt.Fprintf(&mixed, "%s%c", []string{"low", "normal", "high"}[rng.IntN(3)], ",\n"[c/9])
		}
	}
	for _, test := range []struct {
		name string
		text []byte
	}{{"alarm", plain.Bytes()}, {"mixed", mixed.Bytes()}, {"quoted", []byte(quoted)}} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(test.text)))
			for b.Loop() {
				if _, err := data.ReadCSV(bytes.NewReader(test.text), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	t, err := data.Sample(alarmNet(b), 100_000, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if err := t.WriteCSV(&out); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}

// BenchmarkReadCSVFile reads a file of 1,000,000 rows of ALARM as a program does that begins with it, by one worker and
// by all.
func BenchmarkReadCSVFile(b *testing.B) {
	alarm, err := data.Sample(alarmNet(b), 1_000_000, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "alarm.csv")
	if err := alarm.WriteCSVFile(path); err != nil {
		b.Fatal(err)
	}
	alarm = nil
	for _, workers := range []int{1, runtime.NumCPU()} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				debug.FreeOSMemory() // so that memory is as slow as at the start of a program
				b.StartTimer()
				if _, err := data.ReadCSVFile(path, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
