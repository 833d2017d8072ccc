// Package celltext finds the part of a program's text that a value depends on.
//
// A notebook's cell becomes one Go file with the declarations of earlier cells. Of these, a function literal
// needs few: the statements before it that make the variables it mentions, and the declarations that it and they
// mention, and so on. Comments, white space and the order of declarations do not count.
package celltext

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bnlab/internal/say"
)

// A Part is the text that a call depends on.
type Part struct {
	Text     string   // its tokens
	Strings  []string // the values of its string literals, in order, each once
	Imports  []string // the paths of packages that it mentions, in order
	Unstated []string // parameters of the function around the call that it uses and its last arguments do not name
	Outside           // without what the last arguments name
}

// Of returns what the call of a function named so, on this line of a Go source, depends on. Its first argument is a
// name, its second a function literal, and what follows is mentioned beside them.
func Of(src []byte, function string, line int) (Part, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "cell", src, parser.SkipObjectResolution)
	if err != nil {
		return Part{}, err
	}
	call, around := find(fset, f, function, line)
	if call == nil {
		return Part{}, say.Errorf("no call of %s on line %d", function, line)
	}
	s := slice{used: map[string]bool{}}
	body := around.Body.List
	last := slices.IndexFunc(body, func(n ast.Stmt) bool { return n.Pos() <= call.Pos() && call.End() <= n.End() })
	s.add("", body[last])
	local := declared(around)
	for i := last - 1; i >= 0; i-- {
		if s.needs(body[i], local) && !shows(body[i]) {
			s.add("", body[i])
		}
	}
	s.declarations(f, around)
	part := Part{Imports: s.imports(f)}
	part.Text, part.Strings = s.tokens(src, fset)
	r := newReader(fset, f, src)
	r.state(call.Args[min(2, len(call.Args)):])
	for _, p := range s.pieces {
		r.assigned(p.node)
	}
	for _, p := range s.pieces {
		r.look(p.node)
	}
	part.Outside = r.sorted()
	for _, name := range slices.Sorted(maps.Keys(r.seen)) {
		if !slices.Contains(part.Strings, name) {
			part.Strings = append(part.Strings, name)
		}
	}
	if len(call.Args) > 1 {
		stated := mentioned(call.Args[2:]...)
		inside := mentioned(call.Args[1])
		for _, field := range around.Type.Params.List {
			for _, name := range field.Names {
				if inside[name.Name] && !stated[name.Name] {
					part.Unstated = append(part.Unstated, name.Name)
				}
			}
		}
	}
	return part, nil
}

// find returns the smallest call of a function named so that spans the line, and the function around it.
func find(fset *token.FileSet, f *ast.File, function string, line int) (*ast.CallExpr, *ast.FuncDecl) {
	var call *ast.CallExpr
	var around *ast.FuncDecl
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if ok && name(c.Fun) == function && fset.Position(c.Pos()).Line <= line &&
				line <= fset.Position(c.End()).Line && (call == nil || c.End()-c.Pos() < call.End()-call.Pos()) {
				call, around = c, d
			}
			return true
		})
	}
	return call, around
}

// name is that of a called function, without its package and its type arguments.
func name(fun ast.Expr) string {
	switch e := fun.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return name(e.X)
	}
	return ""
}

// shows reports whether a statement is a call of package nb, which changes no variable.
func shows(n ast.Stmt) bool {
	if e, ok := n.(*ast.ExprStmt); ok {
		if c, ok := e.X.(*ast.CallExpr); ok {
			if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
				pkg, ok := sel.X.(*ast.Ident)
				return ok && pkg.Name == "nb"
			}
		}
	}
	return false
}

// declared returns the variables that a function declares, its parameters too.
func declared(d *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			add(n.Key, n.Value)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.Field:
			for _, id := range n.Names {
				add(id)
			}
		}
		return true
	})
	delete(names, "_")
	return names
}

// mentioned returns the names in some expressions or statements, without those of fields and methods.
func mentioned[N ast.Node](nodes ...N) map[string]bool {
	names := map[string]bool{}
	for _, node := range nodes {
		ast.Inspect(node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				for name := range mentioned(n.X) {
					names[name] = true
				}
				return false
			case *ast.Ident:
				names[n.Name] = true
			}
			return true
		})
	}
	return names
}

// A slice is the pieces of a file that something depends on.
type slice struct {
	pieces []piece
	used   map[string]bool // names in them
}

type piece struct {
	name string // of what is declared at the top level
	node ast.Node
}

func (s *slice) add(name string, n ast.Node) {
	s.pieces = append(s.pieces, piece{name, n})
	for name := range mentioned(n) {
		s.used[name] = true
	}
}

// needs reports whether a statement mentions a variable of the function that is used.
func (s *slice) needs(n ast.Stmt, local map[string]bool) bool {
	for name := range mentioned(n) {
		if local[name] && s.used[name] {
			return true
		}
	}
	return false
}

// declarations adds those at the top level that are used, with the methods of types, until no more are.
func (s *slice) declarations(f *ast.File, around *ast.FuncDecl) {
	done := map[ast.Decl]bool{around: true}
	for more := true; more; {
		more = false
		for _, decl := range f.Decls {
			if name := s.usedOf(decl); name != "" && !done[decl] {
				done[decl], more = true, true
				s.add(name, decl)
			}
		}
	}
	slices.SortStableFunc(s.pieces, func(a, b piece) int { return cmp.Compare(a.name, b.name) })
}

// usedOf returns a name that makes a declaration one that is used, or "".
func (s *slice) usedOf(decl ast.Decl) string {
	var names []*ast.Ident
	method := ""
	switch d := decl.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name)
		if d.Recv != nil {
			names, method = nil, "."+d.Name.Name
			for name := range mentioned(d.Recv.List[0].Type) {
				names = append(names, ast.NewIdent(name))
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch sp := spec.(type) {
			case *ast.ValueSpec:
				names = append(names, sp.Names...)
			case *ast.TypeSpec:
				names = append(names, sp.Name)
			}
		}
	}
	for _, id := range names {
		if s.used[id.Name] {
			return names[0].Name + method
		}
	}
	return ""
}

// imports returns the paths whose package is mentioned. A package's name is taken to be the last part of its path.
func (s *slice) imports(f *ast.File) []string {
	var paths []string
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if s.used[name] || name == "." {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// tokens returns the pieces without comments and white space, and the string literals in them.
func (s *slice) tokens(src []byte, fset *token.FileSet) (string, []string) {
	var b strings.Builder
	var literals []string
	for _, p := range s.pieces {
		text := src[fset.Position(p.node.Pos()).Offset:fset.Position(p.node.End()).Offset]
		var sc scanner.Scanner
		sc.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
		for {
			_, tok, lit := sc.Scan()
			if tok == token.EOF {
				break
			}
			if tok == token.STRING {
				if value, err := strconv.Unquote(lit); err == nil && !slices.Contains(literals, value) {
					literals = append(literals, value)
				}
			}
			if tok != token.SEMICOLON {
				fmt.Fprintf(&b, "%s %q\n", tok, lit)
			}
		}
		b.WriteString("\n")
	}
	return b.String(), literals
}
