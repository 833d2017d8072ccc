package scale

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/sqldata"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// tiny is a configuration for tests, with files of its own.
func tiny(t testing.TB, rows ...int) Config {
	return Config{Rows: rows, Repeats: 2, Chunk: 64, Folder: t.TempDir(), Classes: 2, Observed: 4, Iterations: 5}
}

func standInNetwork(t testing.TB) *bn.Network {
	t.Helper()
	net, err := drawn((&run.Job{Seed: 1}).Source(streamTables, 0))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestStandIn: the shape that the literature gives ALARM, 37 variables, 46 arcs and 509 free
// parameters (Beinlich et al. 1989; Bayesian Network Repository).
func TestStandIn(t *testing.T) {
	net := standInNetwork(t)
	if net.Len() != 37 || net.DAG().Arcs() != 46 || net.FreeParameters() != 509 {
		t.Errorf("%d variables, %d arcs, %d parameters", net.Len(), net.DAG().Arcs(), net.FreeParameters())
	}
}

// TestFilesDoNotDependOnWorkers: the same bytes, and fewer rows are the beginning of more.
func TestFilesDoNotDependOnWorkers(t *testing.T) {
	net := standInNetwork(t)
	var files [][]byte
	for _, workers := range []int{1, 3} {
		f, err := generate(t.Context(), &run.Job{Seed: 1, Workers: workers}, tiny(t), net, 500)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if f.Bytes != int64(len(b)) {
			t.Errorf("%d bytes, and the file has %d", f.Bytes, len(b))
		}
		files = append(files, b)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the file depends on the number of workers")
	}
	job, c := &run.Job{Seed: 1, Workers: 2}, tiny(t)
	var tables []*data.Table
	for _, rows := range []int{500, 100} {
		f, err := generate(t.Context(), job, c, net, rows)
		if err != nil {
			t.Fatal(err)
		}
		table, err := parquet.Read(f.Path, nil)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	if tables[0].Head(100).Hash() != tables[1].Hash() {
		t.Error("100 rows are not the first of 500")
	}
}

// TestFilesAreKept: a file is drawn anew when it is not the one that was written, and when the
// seed differs.
func TestFilesAreKept(t *testing.T) {
	net, c := standInNetwork(t), tiny(t)
	draw := func(seed uint64) (File, bool) {
		t.Helper()
		drawn := false
		f, err := generate(t.Context(), &run.Job{Seed: seed}, c, net, 100)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(f.Path); err == nil {
			drawn = info.ModTime().Unix() > 0
			stamp(t, f.Path)
		}
		return f, drawn
	}
	first, _ := draw(1)
	if _, drawn := draw(1); drawn {
		t.Error("drawn again")
	}
	if other, drawn := draw(2); !drawn || other.Path == first.Path {
		t.Error("another seed gives the same file")
	}
	if err := os.Truncate(first.Path, first.Bytes-1); err != nil {
		t.Fatal(err)
	}
	stamp(t, first.Path)
	if _, drawn := draw(1); !drawn {
		t.Error("a file that was cut off is taken")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c.Folder = t.TempDir()
	if _, err := generate(ctx, &run.Job{Seed: 1}, c, net, 10_000); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if left, _ := os.ReadDir(c.Folder); len(left) > 0 {
		t.Errorf("interrupted, and left %v", left)
	}
}

// stamp makes a file old.
func stamp(t testing.TB, path string) {
	t.Helper()
	old := time.Unix(0, 0)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

// database is a made-up engine: memory that says what it was asked, with a fault when wrong.
type database struct{ wrong bool }

func (database) String() string { return "database" }

func (d database) Open(ctx context.Context, f File) (Cases, error) {
	t, err := parquet.Read(f.Path, nil)
	return &asked{Table: t, wrong: d.wrong}, err
}

type asked struct {
	*data.Table
	wrong bool
	cost  sqldata.Cost
}

func (a *asked) Cost() sqldata.Cost { return a.cost }
func (a *asked) Close() error       { return nil }

func (a *asked) CountFamilies(ctx context.Context, families []data.Family,
	opts *data.CountOptions) ([]data.FamilyCounts, error) {
	a.cost.Statements++
	a.cost.Rows += int64(10 * len(families))
	counts, err := a.Table.CountFamilies(ctx, families, opts)
	if a.wrong && err == nil {
		counts[0].N[0]++
	}
	return counts, err
}

// TestCompute runs everything on few rows, and finds an engine that miscounts.
func TestCompute(t *testing.T) {
	runtest.Offline(t)
	for _, wrong := range []bool{false, true} {
		r, err := Compute(t.Context(), &run.Job{Seed: 1, Workers: 2}, tiny(t, 50, 200), Memory{}, database{wrong},
			noDuckDB)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.list) != 2*3*5 {
			t.Fatalf("%d measurements", len(r.list))
		}
		for _, one := range r.of("database", counting) {
			if one.cost != (sqldata.Cost{Statements: 1, Rows: 370}) {
				t.Errorf("cost of counting: %+v", one.cost)
			}
		}
		for _, p := range r.pairs() {
			if p.a.engine != "memory" || p.b.engine != "database" {
				t.Errorf("%s is compared with %s", p.a.engine, p.b.engine)
			}
			if alike := p.same && p.most == 0; p.a.task == counting && alike == wrong {
				t.Errorf("%d rows: the difference is %v, and wrong is %v", p.a.rows, p.most, wrong)
			}
		}
		if list := r.of("duckdb", counting); len(list) > 0 {
			t.Errorf("an engine that is not there has measured %v", list)
		}
		if !strings.Contains(r.reason(), "experiments/scale/duckdb") {
			t.Errorf("reason %q", r.reason())
		}
	}
}

// TestClimbed: beyond its bound only the climb by a sample is measured, and the other says why it is missing.
func TestClimbed(t *testing.T) {
	runtest.Offline(t)
	c := tiny(t, 50, 200)
	c.Sample, c.Climbed = 40, 50
	r, err := Compute(t.Context(), &run.Job{Seed: 1, Workers: 2}, c, Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if plain, sampled := len(r.of("memory", climbing)), len(r.of("memory", sampling)); plain != 1 || sampled != 2 {
		t.Errorf("%d climbs and %d by a sample, want 1 and 2", plain, sampled)
	}
	for _, one := range r.list {
		absent := strings.Contains(one.absent, "up to 50 rows")
		if absent != (one.task == climbing && one.rows == 200) {
			t.Errorf("%d rows, %s: %q", one.rows, one.task, one.absent)
		}
	}
}

func TestErrors(t *testing.T) {
	runtest.Offline(t)
	runtest.Refuses(t, func(ctx context.Context, job *run.Job, c Config) (*Results, error) {
		return Compute(ctx, job, c, Memory{}, noDuckDB)
	}, tiny(t, 50))
}

// TestSlope fits exact powers.
func TestSlope(t *testing.T) {
	var list []result
	for _, rows := range []int{100, 1000, 100_000} {
		list = append(list, result{rows: rows, usage: usage{seconds: 3 * math.Pow(float64(rows), 0.75)}})
	}
	s, ok := fit(list, func(one result) float64 { return one.seconds })
	if !ok || math.Abs(s.all-0.75) > 1e-12 || math.Abs(s.last-0.75) > 1e-12 || s.points != 3 {
		t.Errorf("%+v", s)
	}
	if _, ok := fit(list, func(result) float64 { return 0 }); ok {
		t.Error("a slope of zeros")
	}
}

// TestCluster: by hand. 10^6 rows took 1.8 s of one processor, so 10^10 take 5 hours of one,
// and with 3 statements 5/16 hours and 6 s on 16.
func TestCluster(t *testing.T) {
	r := &Results{
		engines: []string{"memory", "database"}, tasks: []task{{name: counting}},
		Files: []File{{Rows: 1_000_000, Bytes: 5_000_000}},
		list: []result{
			{rows: 1_000_000, engine: "memory", task: counting, usage: usage{processor: 1}},
			{rows: 1_000_000, engine: "database", task: counting, usage: usage{processor: 1.8},
				cost: sqldata.Cost{Statements: 3, Rows: 70}},
		},
	}
	got := r.cluster()
	if len(got) != len(clusterCores) {
		t.Fatalf("%+v", got)
	}
	want := projection{engine: "database", task: counting, from: 1_000_000, bytesPerRow: 5, terabytes: 0.05,
		statements: 3, rowsFetched: 70, processorHours: 5, cores: 16}
	hours := got[0].hours
	got[0].hours = 0
	if !reflect.DeepEqual(got[0], want) || math.Abs(hours-(5.0/16+6.0/3600)) > 1e-12 {
		t.Errorf("%+v and %v hours", got[0], hours)
	}
}

// TestMeasure takes the memory that a task holds, on Linux.
func TestMeasure(t *testing.T) {
	if status("VmHWM:") < 0 {
		t.Skip("no /proc/self/status here")
	}
	base := settle()
	u, err := measure(base, func() error {
		b := make([]byte, 64_000_000)
		for i := range b {
			b[i] = byte(i)
		}
		return nil
	})
	if err != nil || u.peak < 60 || u.peak > 200 || !(u.seconds > 0) {
		t.Errorf("%+v, %v", u, err)
	}
	u, _ = measure(settle(), func() error { return nil })
	if u.peak > 30 {
		t.Errorf("nothing takes %v MB", u.peak)
	}
}

// TestMemoryRefuses: a table that does not fit is not read.
func TestMemoryRefuses(t *testing.T) {
	if available() < 0 {
		t.Skip("the free memory is not known here")
	}
	_, err := Memory{}.Open(t.Context(), File{Rows: math.MaxInt >> 13, Net: standInNetwork(t)})
	if !errors.Is(err, ErrAbsent) {
		t.Errorf("%v", err)
	}
}

// TestRun writes everything, and the same tables where nothing is measured.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("draws figures")
	}
	runtest.Offline(t)
	r, err := Compute(t.Context(), &run.Job{Seed: 1}, tiny(t, 50, 100), Memory{}, database{}, noDuckDB)
	if err != nil {
		t.Fatal(err)
	}
	dir, claims := runtest.Execute(t, saved{r}, 1)
	for _, c := range claims {
		if strings.HasPrefix(c.Claim, "duckdb") && c.Holds != run.NotJudged {
			t.Errorf("%s: %s", c.Claim, c.Holds)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "scale.csv"))
	if err != nil || !bytes.HasPrefix(b, []byte("rows,engine,task,seconds,peak_mb,statements,rows_fetched\n")) ||
		!bytes.Contains(b, []byte("\n50,duckdb,open,n/a,n/a,n/a,n/a\n")) {
		t.Errorf("%v\n%s", err, b)
	}
}

// saved is an experiment that was computed already.
type saved struct{ r *Results }

func (saved) Info() run.Info                              { return run.Info{ID: "scale"} }
func (saved) Config(run.Profile) any                      { return nil }
func (s saved) Run(_ context.Context, job *run.Job) error { return s.r.save(job) }

// Outside a checkout the rows go to the user's own cache: a shared temporary folder is
// where others can plant links.
func TestFolderOutsideACheckout(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	folder, err := (Config{}).folder("")
	if err != nil || !strings.HasPrefix(folder, cache) {
		t.Errorf("folder %s, %v, want one below %s", folder, err, cache)
	}
}
