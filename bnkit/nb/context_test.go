package nb

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/validate"
)

// underWay is what a child prints when an interrupt may come.
const underWay = "under way"

// meeting returns a function that a child calls at each step: at the n-th it says that it is under way, and goes on
// when an interrupt has come.
func meeting(n int) func() {
	var mu sync.Mutex
	calls := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls == n {
			fmt.Println(underWay)
			<-Context().Done()
		}
	}
}

// interruptible are verbs that end with the best so far when Context does; each prints what it has.
var interruptible = map[string]struct {
	run  func(m *bnkit.Model, df dataframe.DataFrame) (any, error)
	says string // among what is printed
}{
	"fit": {func(m *bnkit.Model, df dataframe.DataFrame) (any, error) {
		step := meeting(1)
		return bnkit.Fit(Context(), m.Net, df.Drop("rain"), learn.EM{}, &bnkit.Settings{Seed: 1, Starts: 1,
			Hidden:    []string{"rain"},
			Tolerance: 1e-300, Progress: func(learn.Progress) { step() }})
	}, "interrupted"},
	"search": {func(_ *bnkit.Model, df dataframe.DataFrame) (any, error) {
		step := meeting(2)
		return bnkit.Search(Context(), df, nil, structure.Exact{}, &bnkit.SearchSettings{Workers: 1,
			Progress: func(structure.Progress) { step() }})
	}, "the best graph so far"},
	"audit": {func(m *bnkit.Model, _ dataframe.DataFrame) (any, error) {
		step := meeting(1)
		df, err := bnkit.Audit(Context(), m, &learn.AuditSettings{Progress: func(int, int) { step() }})
		return df.Col("verdict"), err
	}, "interrupted after 1 of 2"},
	"validation": {func(m *bnkit.Model, df dataframe.DataFrame) (any, error) {
		step := meeting(2)
		return bnkit.CrossValidate(Context(), m.Net, df, "rain",
			[]validate.Learner{{Name: "free", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}}},
			&validate.Settings{Folds: 5, Workers: 1, Progress: func(int, int) { step() }})
	}, "interrupted after 2 of 5 folds"},
	"intervals": {func(m *bnkit.Model, _ dataframe.DataFrame) (any, error) {
		step := meeting(30)
		df, err := bnkit.Intervals(Context(), m, "grass", &bnkit.IntervalSettings{Draws: 1000, Src: rand.NewPCG(1, 0),
			Progress: func(int, int) { step() }})
		return df.Col("note"), err
	}, "interrupted: 300 of 1000 draws"},
}

// child names the environment variable that makes a child of TestContext do something.
const child = "NB_TEST_CONTEXT"

// TestContext interrupts children: verbs that are given the context end by themselves with what they have, a second
// interrupt ends the program, and without Context the first does.
func TestContext(t *testing.T) {
	if name := os.Getenv(child); name != "" {
		beChild(t, name)
		return
	}
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	if signal.Ignored(os.Interrupt) {
		t.Skip("started with interrupts ignored, which children inherit")
	}
	for name, verb := range interruptible {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, errs, err := interrupted(t, name, 1)
			if err != nil || !strings.Contains(out, verb.says) ||
				!strings.Contains(errs, "interrupted: the best so far follows; a second interrupt stops at once") {
				t.Errorf("error %v, printed %q and %q", err, out, errs)
			}
		})
	}
	for name, signals := range map[string]int{"twice": 2, "script": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var exit *exec.ExitError
			out, _, err := interrupted(t, name, signals)
			if !errors.As(err, &exit) || exit.Exited() || strings.Contains(out, "went on") {
				t.Errorf("error %v, want an end by the signal; printed %q", err, out)
			}
		})
	}
}

// interrupted starts a child, interrupts it each time it says that it is under way, and returns what it printed.
func interrupted(t *testing.T, name string, signals int) (out, errs string, err error) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestContext$")
	cmd.Env = append(os.Environ(), child+"="+name)
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe() // a child that waits for it waits for the signal
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if lines.Text() != underWay {
			b.WriteString(lines.Text() + "\n")
			continue
		}
		if signals--; signals < 0 {
			t.Error("under way once more than expected")
			break
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
	}
	err = cmd.Wait() // then the standard error is complete
	return b.String(), stderr.String(), err
}

// beChild does what the name says.
func beChild(t *testing.T, name string) {
	switch name {
	case "twice":
		meeting(1)()
		if Context().Err() == nil || Context() != Context() {
			t.Error("another context, or one that has not ended")
		}
		fallthrough
	case "script":
		fmt.Println(underWay)
		io.Copy(io.Discard, os.Stdin) // until the program is ended
		fmt.Println("went on")
		return
	}
	df := dataframe.ReadCSV(strings.NewReader("rain,grass,day\n" +
		strings.Join(slices.Concat(slices.Repeat([]string{"no,dry,mon"}, 9), slices.Repeat([]string{"no,wet,tue"}, 4),
			slices.Repeat([]string{"yes,wet,mon"}, 8), slices.Repeat([]string{"yes,dry,tue"}, 3)), "\n")))
	net, err := bnkit.NewNetwork("[rain][grass|rain][day|rain]", df, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bnkit.Fit(context.Background(), net, df, learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "rain", Child: "grass", Sign: constraint.Positive},
		constraint.Influence{Parent: "rain", Child: "day", Sign: constraint.Negative}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	verb := interruptible[name]
	if got, err := verb.run(m, df); err != nil {
		t.Error(err)
	} else {
		fmt.Println(got)
	}
}
