// Hostile tries what strangers bring: random statements against a linear program of another's, random networks against
// enumeration, extreme numbers against long arithmetic, mutated files, hostile names, other locales and shells.
//
//	go run ./internal/hostile                                 ten minutes of everything
//	go run ./internal/hostile -for 8h -seed 2                 a night of other cases
//	go run ./internal/hostile -only files -seed 2 -case 17    one case again
//
// A case follows from its kind, the seed and its number alone. Time says how many are tried, never what comes of one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"bnlab/internal/say"
)

// A kind of cases.
type kind struct {
	name string
	// try runs a case and says in a word or two what it was, for the table. An error is what broke.
	try func(t *trial) (what string, err error)
}

var kinds = []kind{
	{"statements", tryStatements},
	{"enumeration", tryEnumeration},
	{"cancellation", tryCancellation},
	{"files", tryFiles},
	{"names", tryNames},
	{"shells", tryShells},
}

// A trial is what a case gets.
type trial struct {
	rng          *rand.Rand
	seed, number uint64
	dir          string // a folder for files, which other cases write over
}

func newTrial(kind string, seed, number uint64, dir string) *trial {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", kind, seed)
	return &trial{rand.New(rand.NewPCG(h.Sum64(), number)), seed, number, dir}
}

// patience is how long a case may take before the command ends without it. The slowest takes seconds.
const patience = 10 * time.Minute

// mostFailures of a kind are shown; then its turn is over.
const mostFailures = 20

func main() {
	if len(os.Args) == 4 && os.Args[1] == asCell {
		os.Exit(showCell(os.Args[2], os.Args[3]))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, out, diagnostics io.Writer) int {
	flags := flag.NewFlagSet("hostile", flag.ContinueOnError)
	flags.SetOutput(diagnostics)
	budget := flags.Duration("for", 10*time.Minute, "how long new cases are begun")
	seed := flags.Uint64("seed", 1, "another seed has other cases")
	only := flags.String("only", "", "kinds, with commas between: "+strings.Join(names(), ", "))
	one := flags.Int64("case", -1, "run this case only, of one kind")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	chosen, err := choose(*only)
	switch {
	case err != nil:
	case flags.NArg() > 0:
		err = say.Errorf("%q is no flag; see -help", flags.Arg(0))
	case *one >= 0 && len(chosen) != 1:
		err = say.Errorf("-case is of one kind; name it, as in -only files")
	}
	if err != nil {
		fmt.Fprintf(diagnostics, "hostile: %v\n", err)
		return 2
	}
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		fmt.Fprintf(diagnostics, "hostile: %v\n", err)
		return 1
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := &session{seed: *seed, dir: dir, out: out, line: diagnostics, from: time.Now()}
	if *one >= 0 {
		s.try(ctx, &standing{kind: chosen[0], number: uint64(*one)})
	} else {
		s.tryAll(ctx, *budget, chosen)
	}
	if s.failures > 0 {
		fmt.Fprintf(out, "%d of these cases failed\n", s.failures)
		return 1
	}
	return 0
}

func names() []string {
	var list []string
	for _, k := range kinds {
		list = append(list, k.name)
	}
	return list
}

func choose(only string) ([]kind, error) {
	if only == "" {
		return kinds, nil
	}
	var chosen []kind
	for name := range strings.SplitSeq(only, ",") {
		at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		if at < 0 {
			return nil, say.Errorf("there is no kind %q; kinds: %s", name, say.List(names()))
		}
		chosen = append(chosen, kinds[at])
	}
	return chosen, nil
}

// A session is a run of the command.
type session struct {
	seed      uint64
	dir       string
	out, line io.Writer
	from      time.Time
	shown     time.Time // when the line of progress was last written
	failures  int
}

// A standing is how far a kind has come.
type standing struct {
	kind     kind
	number   uint64
	spent    time.Duration
	tried    map[string]int
	failures int
}

// tryAll begins cases of all kinds, each for an equal share of the time, until the budget is spent, and prints how
// many there were.
func (s *session) tryAll(ctx context.Context, budget time.Duration, chosen []kind) {
	all := make([]*standing, len(chosen))
	for i, k := range chosen {
		all[i] = &standing{kind: k, tried: map[string]int{}}
	}
	for ctx.Err() == nil && time.Since(s.from) < budget {
		var next *standing
		for _, st := range all {
			if st.failures < mostFailures && (next == nil || st.spent < next.spent) {
				next = st
			}
		}
		if next == nil || !s.try(ctx, next) {
			break
		}
		next.number++
	}
	fmt.Fprintf(s.line, "\r%60s\r", "")
	fmt.Fprintf(s.out, "seed %d\n", s.seed)
	for _, st := range all {
		fmt.Fprintf(s.out, "%-13s %8d cases, %d failed\n", st.kind.name, st.number, st.failures)
		for _, what := range slices.Sorted(maps.Keys(st.tried)) {
			fmt.Fprintf(s.out, "%13s %8d %s\n", "", st.tried[what], what)
		}
	}
}

// try runs a case; false ends the session.
func (s *session) try(ctx context.Context, st *standing) bool {
	began := time.Now()
	done := make(chan result, 1)
	go func() { done <- attempt(st.kind, newTrial(st.kind.name, s.seed, st.number, s.dir)) }()
	s.progress(st)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var r result
	for waiting := true; waiting; {
		select {
		case r = <-done:
			waiting = false
		case <-ctx.Done():
			return false
		case <-tick.C:
			if s.progress(st); time.Since(began) > patience {
				r.err, waiting = say.Errorf("it did not end in %v, nor did what it called", patience), false
			}
		}
	}
	st.spent += time.Since(began)
	if st.tried != nil && r.err == nil {
		st.tried[r.what]++
	}
	if r.err == nil {
		if st.tried == nil {
			fmt.Fprintf(s.out, "%s, seed %d, case %d: %s, passed\n", st.kind.name, s.seed, st.number, r.what)
		}
		return true
	}
	st.failures++
	s.failures++
	fmt.Fprintf(s.out,
		"\r%s, seed %d, case %d: %s\n  go run ./internal/hostile -only %[1]s -seed %[2]d -case %[3]d\n", st.kind.name,
		s.seed, st.number, say.Text(r.err.Error()))
	return time.Since(began) < patience
}

// progress is a line that names the case in hand, once a second.
func (s *session) progress(st *standing) {
	if time.Since(s.shown) > time.Second {
		s.shown = time.Now()
		fmt.Fprintf(s.line, "\r%s %d, %v in all   ", st.kind.name, st.number, time.Since(s.from).Round(time.Second))
	}
}

type result struct {
	what string
	err  error
}

// attempt runs a case, whose panic is a failure.
func attempt(k kind, t *trial) (r result) {
	defer func() {
		if p := recover(); p != nil {
			r.err = say.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	what, err := k.try(t)
	return result{what, err}
}

// root is the folder of the checkout, for what is not Go.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "reproduce.sh")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("reproduce.sh is neither here nor in a folder above; run this in a checkout of bnlab")
		}
		dir = up
	}
}

// must is for what cannot fail; attempt tells of it if it does.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
