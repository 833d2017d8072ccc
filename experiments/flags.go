package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// request is a parsed command line.
type request struct {
	list    bool
	compare bool // the results there are with the reference; nothing runs
	update  bool // of the reference by the results there are; nothing runs
	lacking bool // which data of the reference cannot be had; nothing runs
	seeds   int  // 0: one, and its results are kept
	options run.Options
	chosen  []run.Experiment
}

const usage = `usage: go run ./experiments [flags] [id …]
       go run ./experiments [flags] id -setting VALUE …

Runs the experiments named by id, or all of them, and writes each one's tables,
figures and claims into DIR/id and the report of all claims into DIR/REPORT.md.

flags:
  -list           list the experiments and stop
  -profile NAME   paper (default): the papers' own sizes; quick: small sizes, for CI;
                  large: minutes and gigabytes, for the experiments that have it
  -seed N         seed of every random stream (default 1)
  -seeds N        run with N seeds, from -seed on, and write how often each claim holds
                  into DIR/seeds/id.csv; the report says which verdicts change
  -out DIR        where results go (default build/NAME, by profile)
  -workers N      goroutines (default: one for each CPU); results do not depend on it
  -setting VALUE  behind one id: a field of its configuration in run.json, such as
                  -replicates 50 or -sizes 5,20; results go to build/own
  -compare        run nothing; compare the results in DIR with those in figures/, table by table
  -update         run nothing; put results in DIR in the place of those in figures/, unless
                  they lack data which those had
  -lacking        run nothing; list the data of figures/ that cannot be had here

exit status: 0 success; 1 an experiment failed, a theorem or arithmetic on published
numbers does not come out, or -compare found a difference; 2 wrong command line; 130
stopped by Ctrl-C.
`

// parse reads the command line. Its errors are complete messages; it returns
// flag.ErrHelp for -h.
func parse(experiments []run.Experiment, args []string) (request, error) {
	var r request
	fs := flag.NewFlagSet("experiments", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&r.list, "list", false, "")
	profile := fs.String("profile", string(run.Paper), "")
	fs.Uint64Var(&r.options.Seed, "seed", 1, "")
	fs.IntVar(&r.seeds, "seeds", 0, "")
	fs.StringVar(&r.options.Out, "out", "", "")
	fs.BoolVar(&r.compare, "compare", false, "")
	fs.BoolVar(&r.update, "update", false, "")
	fs.BoolVar(&r.lacking, "lacking", false, "")
	fs.IntVar(&r.options.Workers, "workers", runtime.NumCPU(), "")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return r, err
		}
		return r, say.Errorf("%w (flags: -list, -profile, -seed, -seeds, -out, -workers, -compare, -update, -lacking; "+
			"-h explains them)", err)
	}
	p, err := run.ParseProfile(*profile)
	if err != nil {
		return r, err
	}
	r.options.Profile = p
	if r.options.Workers < 1 {
		return r, fmt.Errorf("-workers %d: at least 1 is needed", r.options.Workers)
	}
	if r.seeds < 0 {
		return r, fmt.Errorf("-seeds %d: at least 1 is needed", r.seeds)
	}
	if p != run.Paper && (r.compare || r.update) {
		return r, say.Errorf("-profile %s: figures/ has the profile %s", p, run.Paper)
	}
	outGiven := r.options.Out != ""
	if !outGiven {
		r.options.Out = filepath.Join("build", string(p))
	}
	if fs.NArg() == 0 {
		r.chosen = slices.DeleteFunc(slices.Clone(experiments), func(e run.Experiment) bool {
			return p == run.Large &&
				!e.Info().Large
		})
	}
	rest := fs.Args()
	if i := slices.IndexFunc(rest, func(a string) bool { return strings.HasPrefix(a, "-") }); i >= 0 {
		if r.options.Settings, err = settings(rest[i:]); err != nil {
			return r, err
		}
		if rest = rest[:i]; len(rest) != 1 {
			return r, say.Errorf("%s is a setting of one experiment; it stands behind its id, and flags come first",
				fs.Arg(i))
		}
	}
	if r.options.Settings != nil && !outGiven {
		r.options.Out = filepath.Join("build", string(run.Own))
	}
	for _, id := range rest {
		i := slices.IndexFunc(experiments, func(e run.Experiment) bool { return e.Info().ID == id })
		switch {
		case i < 0:
			return r, say.Errorf("unknown experiment %q (there are: %s)", id, say.List(ids(experiments)))
		case !slices.Contains(r.chosen, experiments[i]):
			r.chosen = append(r.chosen, experiments[i])
		}
	}
	return r, nil
}

// settings reads "-name value" and "-name=value".
func settings(args []string) (map[string]string, error) {
	found := make(map[string]string)
	for i := 0; i < len(args); i++ {
		name, value, ok := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !strings.HasPrefix(args[i], "-") || name == "" {
			return nil, say.Errorf("%q is neither a setting nor the value of one", args[i])
		}
		if !ok {
			if i++; i == len(args) {
				return nil, say.Errorf("the setting -%s has no value", name)
			}
			value = args[i]
		}
		if _, twice := found[name]; twice {
			return nil, say.Errorf("the setting -%s is given twice", name)
		}
		found[name] = value
	}
	return found, nil
}

func ids(experiments []run.Experiment) []string {
	var out []string
	for _, e := range experiments {
		out = append(out, e.Info().ID)
	}
	return out
}

func list(w io.Writer, experiments []run.Experiment) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "id\tpaper\tnotebook\ttitle")
	for _, e := range experiments {
		i := e.Info()
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", i.ID, orDash(i.Paper), orDash(i.Notebook), i.Title)
	}
	return t.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
