package fence_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestErrorsAreSafe holds errors to internal/say, which escapes and cuts what they quote: fmt.Errorf is for numbers and
// this module's sentinels, errors.New for constants, and a method Error says what it builds by package say.
func TestErrorsAreSafe(t *testing.T) {
	files := 0
	for _, folder := range []string{"bnkit", "internal", "datasets", "experiments"} {
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				filepath.Base(filepath.Dir(path)) == "say" {
				return err
			}
			files++
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, f := range unsafeErrors(file) {
				t.Errorf("%s: %s", set.Position(f.at), f.what)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 500 {
		t.Errorf("%d files: the list is not whole", files)
	}
}

type unsafeError struct {
	at   token.Pos
	what string
}

// unsafeErrors are the places of a file that may show what a stranger wrote as it is.
func unsafeErrors(file *ast.File) []unsafeError {
	var found []unsafeError
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch called(n) {
			case "fmt.Errorf":
				if len(n.Args) > 0 && !onlyNumbers(n.Args[0], n.Args[1:]) {
					found = append(found, unsafeError{n.Pos(), "fmt.Errorf of more than numbers: use say.Errorf"})
				}
			case "errors.New":
				if _, ok := constantText(n.Args[0]); !ok {
					found = append(found, unsafeError{n.Pos(), "errors.New of what is not constant: use say.Errorf"})
				}
			}
		case *ast.FuncDecl:
			if n.Name.Name == "Error" && n.Recv != nil && n.Type.Params.NumFields() == 0 && !says(n.Body) {
				found = append(found, unsafeError{n.Pos(), "a method Error that builds a text: use say.Sprintf"})
			}
		}
		return true
	})
	return found
}

// called is the name of a function of a package, as in fmt.Errorf.
func called(call *ast.CallExpr) string {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		if p, ok := s.X.(*ast.Ident); ok {
			return p.Name + "." + s.Sel.Name
		}
	}
	return ""
}

// constantText is the value of a literal or a sum of them.
func constantText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, ok := constantText(e.X)
		b, also := constantText(e.Y)
		return a + b, ok && also
	case *ast.ParenExpr:
		return constantText(e.X)
	}
	return "", false
}

var (
	verbs    = regexp.MustCompile(`%[-+# 0-9.*]*([a-zA-Z%]|\[)`)
	sentinel = regexp.MustCompile(`^[eE]rr[A-Z]`)
)

// onlyNumbers tells whether a format has no verb for texts, and none for errors but sentinels.
func onlyNumbers(format ast.Expr, args []ast.Expr) bool {
	text, ok := constantText(format)
	if !ok {
		return false
	}
	next := 0
	for _, m := range verbs.FindAllStringSubmatch(text, -1) {
		if m[1] == "%" {
			continue
		}
		next += strings.Count(m[0], "*")
		switch {
		case next >= len(args) || strings.Contains("svqx[", m[1]):
			return false
		case m[1] == "w" && !isSentinel(args[next]):
			return false
		}
		next++
	}
	return true
}

func isSentinel(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return sentinel.MatchString(e.Name)
	case *ast.SelectorExpr:
		return sentinel.MatchString(e.Sel.Name)
	}
	return false
}

// says tells whether a function calls package say, or returns nothing but constants and what other errors say.
func says(body *ast.BlockStmt) bool {
	say, plain := false, true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			say = say || strings.HasPrefix(called(n), "say.")
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				plain = plain && isPlain(e)
			}
		}
		return true
	})
	return say || plain
}

// isPlain tells whether a result is constant, of numbers, or what another error says.
func isPlain(e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		if called(call) == "fmt.Sprintf" {
			return onlyNumbers(call.Args[0], call.Args[1:])
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Error"
	}
	_, constant := constantText(e)
	return constant
}

// TestUnsafeErrorsAreFound tries the fence on errors of both kinds.
func TestUnsafeErrorsAreFound(t *testing.T) {
	for code, want := range map[string]int{
		`fmt.Errorf("%d of %g, %-3d%%", 1, 2.5, 3)`: 0,
		`fmt.Errorf("%w: %d", bn.ErrFormat, 1)`:     0,
		`fmt.Errorf("%w: "+"%d", errFormat, 1)`:     0,
		`fmt.Errorf("%w: %d", err, 1)`:              1,
		`fmt.Errorf("%q", name)`:                    1,
		`fmt.Errorf("%s", name)`:                    1,
		`fmt.Errorf("%v", 1)`:                       1,
		`fmt.Errorf("%[1]d", 1)`:                    1,
		`fmt.Errorf("%*d %w", 1, 2, e)`:             1,
		`fmt.Errorf(format, args...)`:               1,
		`say.Errorf("%s", name)`:                    0,
		`errors.New("a" + "b")`:                     0,
		`errors.New("a" + name)`:                    1,
		`errors.New(name)`:                          1,
	} {
		file := "package p\nfunc f() error { return " + code + " }"
		checkUnsafe(t, file, want)
	}
	for body, want := range map[string]int{
		`return "constant"`:                    0,
		`return e.err.Error()`:                 0,
		`return e.name + " is bad"`:            1,
		`return fmt.Sprintf("%d", e.n)`:        0,
		`return fmt.Sprintf("%s", e.name)`:     1,
		`return say.Sprintf("%s", e.name)`:     0,
		`b += e.name; return say.Text(b)`:      0,
		`if x { return "a" }; return e.name`:   1,
		`switch { case x: return b.String() }`: 1,
	} {
		checkUnsafe(t, "package p\nfunc (e *E) Error() string { "+body+" }", want)
	}
}

func checkUnsafe(t *testing.T, code string, want int) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", code, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", code, err))
	}
	if got := unsafeErrors(file); len(got) != want {
		t.Errorf("%s\n%d faults, want %d: %v", code, len(got), want, got)
	}
}
