package nb

import (
	"reflect"
	"runtime"
	"strings"
	"time"

	"bnlab/internal/say"
)

// Keep computes a value once and returns the same one to later cells and on the next day: each cell is a separate
// program, in which no variable of an earlier one is left.
//
//	model := nb.Keep("model", func() *bnkit.Model {
//		return nb.Must(bnkit.Fit(nb.Context(), net, df, learn.EM{}, nil))
//	})
//
// Later cells ask for it by name, with [Kept]. Models, networks and frames can be kept, and plain data: numbers,
// texts, and slices, maps and structs of them with exported fields.
//
// A value is computed anew, and a line says why, when it is stale: when the text of the function has changed, or of
// what it uses of the notebook (comments and layout do not count); when the library has changed, or Go files of a
// module of yours; when a file has that the text names; or when one of the further arguments has. Give as these what
// the text does not show: the parameters of a function around the call (leaving one out is an error), and the paths of
// files that are put together. A string that names a file stands for what is in the file. Environment variables that
// the text reads, and the arguments of the program, count too. What is known only when the computation runs is an
// error unless it is given: the time, a variable whose name is put together. Of a module of yours only variables and
// arguments are looked for. Two things cannot be known: what a database holds, and what the computation does besides
// returning its value.
//
// Values are in the folder .gonb_cache beside the notebook, where GoNB's own cache keeps its own, or in $BNLAB_KEEP;
// to remove the folder is safe. A model there is a file for [bnkit.Load]. Notebooks in one folder share the names.
// What a cell computes when it is interrupted is not kept. (GoNB's package cache knows no stale values, keeps gob
// only and may leave half a file.)
//
// A program that is not a cell keeps its values in the same way; there, any change of the program makes them stale.
func Keep[T any](name string, compute func() T, also ...any) T {
	_, file, line, _ := runtime.Caller(1)
	var v T
	NoError(keep(name, &v, func() { v = compute() }, caller{file, line}, also))
	return v
}

// Kept returns the value that [Keep] keeps under a name. A line tells when it is stale, as far as that can be seen
// from another cell: when the library or a file that it was computed from has changed.
func Kept[T any](name string) T {
	var v T
	NoError(kept(name, &v))
	return v
}

// keep fills into, a pointer, with what is kept or what compute puts there.
func keep(name string, into any, compute func(), from caller, also []any) error {
	s, err := newShelf(name)
	if err != nil {
		return err
	}
	now, err := sourcesOf(from, also)
	if err != nil {
		return say.Errorf("nb: Keep(%q): %w", name, err)
	}
	r, err := s.read()
	if err != nil {
		return err
	}
	if r != nil {
		why := r.stale(now)
		if why == nil && r.Type != typeOf(into) {
			why = []string{"its type"}
		}
		if why == nil {
			if s.value(r, into) == nil {
				return nil
			}
			why = []string{"its file"} // damaged, or gone with a part of the folder
		}
		Printf("%s: computed anew, as %s\n", name, changed(why))
	}
	compute()
	if wasInterrupted.Load() {
		Printf("%s: not kept, as the cell was interrupted\n", name)
		return nil
	}
	return s.write(now, into)
}

func kept(name string, into any) error {
	s, err := newShelf(name)
	if err != nil {
		return err
	}
	r, err := s.read()
	if err != nil {
		return err
	}
	if r == nil {
		return say.Errorf("nb: nothing is kept as %q in %s (%s): run the cell with nb.Keep(%q, …) first", name, s.dir,
			s.others(), name)
	}
	if r.Type != typeOf(into) {
		return say.Errorf("nb: what is kept as %q is of type %s, not %s", name, r.Type, typeOf(into))
	}
	if why := r.stale(r.sources.again()); why != nil {
		Printf("%s: kept on %s, and %s since; run the cell that keeps it\n", name,
			r.Time.Local().Format("2 January 2006 at 15:04"), changed(why))
	}
	if err := s.value(r, into); err != nil {
		return say.Errorf("nb: what is kept as %q cannot be read, so run the cell that keeps it: %w", name, err)
	}
	return nil
}

func changed(what []string) string {
	if len(what) == 1 {
		return say.List(what) + " has changed"
	}
	return say.List(what) + " have changed"
}

// typeOf names the type that a pointer points at.
func typeOf(into any) string { return reflect.TypeOf(into).Elem().String() }

// A record says what is kept under a name.
type record struct {
	Format string    `json:"format"`
	Name   string    `json:"name"`
	Type   string    `json:"type"`
	Time   time.Time `json:"time"`
	File   string    `json:"file"`
	Sum    string    `json:"sha256"` // of the file
	sources
}

const keptFormat = "bnlab kept 1"

// validName reports what is wrong with a name, which becomes part of a file's.
func validName(name string) error {
	bad := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r))
	}
	if name == "" || len(name) > 100 || name[0] == '.' || strings.ContainsFunc(name, bad) {
		return say.Errorf("nb: %q cannot name what is kept: use up to 100 letters, digits and any of . - _", name)
	}
	return nil
}
