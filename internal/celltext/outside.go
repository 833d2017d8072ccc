package celltext

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Outside is what a text reads besides itself.
type Outside struct {
	Env     []string // environment variables, in order, each once
	Args    bool     // the arguments of the program
	Unknown []string // what cannot be known from the text, as it stands there
}

// A reader collects what nodes of a file read.
type reader struct {
	src    []byte
	offset func(token.Pos) int
	paths  map[string]string // of the imported packages, by name
	consts map[string]string // values of string constants
	stated map[string]bool   // expressions that are given besides
	made   map[string]string // variables whose value is put together, and how
	seen   map[string]bool   // names of files in constants
	out    Outside
}

// FileOutside is what the declarations of a file read.
func FileOutside(fset *token.FileSet, f *ast.File, src []byte) Outside {
	r := newReader(fset, f, src)
	r.assigned(f)
	r.look(f)
	return r.sorted()
}

func newReader(fset *token.FileSet, f *ast.File, src []byte) *reader {
	r := &reader{src: src, offset: func(p token.Pos) int { return fset.Position(p).Offset }, paths: map[string]string{},
		consts: map[string]string{}, stated: map[string]bool{}, made: map[string]string{}, seen: map[string]bool{}}
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		r.paths[name] = path
	}
	for range 2 { // a constant may be made of later ones
		ast.Inspect(f, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, spec := range d.Specs {
					v := spec.(*ast.ValueSpec)
					for i, id := range v.Names {
						if i < len(v.Values) {
							if text, ok := r.constant(v.Values[i]); ok {
								r.consts[id.Name] = text
							}
						}
					}
				}
			}
			return true
		})
	}
	return r
}

// constant is the value of an expression of string literals, constants, and environment variables as they are now.
func (r *reader) constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.constant(e.X)
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, ok := r.consts[e.Name]
		return text, ok
	case *ast.BinaryExpr:
		x, xOK := r.constant(e.X)
		y, yOK := r.constant(e.Y)
		return x + y, xOK && yOK && e.Op == token.ADD
	case *ast.CallExpr:
		parts := make([]string, len(e.Args))
		for i, arg := range e.Args {
			var ok bool
			if parts[i], ok = r.constant(arg); !ok {
				return "", false
			}
		}
		switch path, name := r.called(e.Fun); {
		case path == "os" && name == "Getenv" && len(parts) == 1:
			return os.Getenv(parts[0]), true
		case (path == "path" || path == "path/filepath") && name == "Join":
			return filepath.Join(parts...), true
		}
	}
	return "", false
}

// called is the path of a package and the name of what is selected from it.
func (r *reader) called(e ast.Expr) (path, name string) {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		if pkg, ok := sel.X.(*ast.Ident); ok {
			return r.paths[pkg.Name], sel.Sel.Name
		}
	}
	return "", ""
}

// text is an expression as it stands in the source, without white space.
func (r *reader) text(n ast.Node) string {
	return strings.Join(strings.Fields(string(r.src[r.offset(n.Pos()):r.offset(n.End())])), "")
}

// state notes what is given besides, and what is in it.
func (r *reader) state(args []ast.Expr) {
	for _, arg := range args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				r.stated[r.text(e)] = true
			}
			return true
		})
	}
}

// unknown notes what cannot be known, unless it is given.
func (r *reader) unknown(e ast.Node, why string) {
	if text := r.text(e); !r.stated[text] {
		r.out.Unknown = append(r.out.Unknown, fmt.Sprintf("%s (%s)", text, why))
	}
}

// reading matches the functions of the library and of os whose first argument may be the name of a file.
var reading = regexp.MustCompile(`^(Read|Load|Open|Stat$|DirFS$|Glob$|Walk)`)

// assigned notes the variables whose value is put together.
func (r *reader) assigned(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok && len(n.Rhs) == len(n.Lhs) && r.putTogether(n.Rhs[i]) {
					r.made[id.Name] = r.text(n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if i < len(n.Values) && r.putTogether(n.Values[i]) {
					r.made[id.Name] = r.text(n.Values[i])
				}
			}
		}
		return true
	})
}

// look adds what a node reads, when all have been noted.
func (r *reader) look(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			r.call(n)
		case *ast.SelectorExpr:
			switch path, name := r.called(n); {
			case path == "os" && name == "Args", path == "flag":
				r.out.Args = true
			case path == "time" && (name == "Now" || name == "Since" || name == "Until"):
				r.unknown(n, "the time")
			}
		}
		return true
	})
}

func (r *reader) call(c *ast.CallExpr) {
	path, name := r.called(c.Fun)
	switch {
	case path == "os" && (name == "Environ" || name == "Hostname" || name == "Getwd"), path == "os/user":
		r.unknown(c, "the machine")
	case path == "os" && (name == "Getenv" || name == "LookupEnv" || name == "ExpandEnv") && len(c.Args) == 1:
		if text, ok := r.constant(c.Args[0]); !ok {
			r.unknown(c, "a variable whose name is not in the text")
		} else if name != "ExpandEnv" {
			r.out.Env = append(r.out.Env, text)
		} else {
			for _, m := range regexp.MustCompile(`\$\{?(\w+)`).FindAllStringSubmatch(text, -1) {
				r.out.Env = append(r.out.Env, m[1])
			}
		}
	case len(c.Args) > 0 && reading.MatchString(name) &&
		(path == "os" || path == "path/filepath" || strings.HasPrefix(path, "bnlab/bnkit")):
		if text, ok := r.constant(c.Args[0]); ok {
			r.seen[text] = true
		} else if id, ok := c.Args[0].(*ast.Ident); ok && r.made[id.Name] != "" && !r.stated[r.made[id.Name]] {
			r.unknown(id, "the name of a file that is put together")
		} else if !ok && r.putTogether(c.Args[0]) {
			r.unknown(c.Args[0], "the name of a file that is put together")
		}
	}
}

// putTogether reports whether an expression makes a string of parts that are not all constants.
func (r *reader) putTogether(e ast.Expr) bool {
	if _, ok := r.constant(e); ok {
		return false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.putTogether(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (r.hasText(e.X) || r.hasText(e.Y))
	case *ast.CallExpr:
		path, name := r.called(e.Fun)
		return path == "fmt" && strings.HasPrefix(name, "Sprint") ||
			(path == "path" || path == "path/filepath") && name == "Join"
	}
	return false
}

// hasText reports whether a string constant is in a sum.
func (r *reader) hasText(e ast.Expr) bool {
	if b, ok := e.(*ast.BinaryExpr); ok {
		return r.hasText(b.X) || r.hasText(b.Y)
	}
	_, ok := r.constant(e)
	return ok
}

func (r *reader) sorted() Outside {
	for _, list := range []*[]string{&r.out.Env, &r.out.Unknown} {
		slices.SortFunc(*list, cmp.Compare[string])
		*list = slices.Compact(*list)
	}
	return r.out
}
