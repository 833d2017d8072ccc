package nb

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bnlab/internal/celltext"
	"bnlab/internal/say"
	"bnlab/internal/sourcehash"
)

// workspace returns the folders of the modules that a cell uses, by their names: those of the go.work beside the
// notebook, and those of the one that the first cell has made.
func workspace() map[string]string {
	folders := map[string]string{}
	for _, place := range []string{os.Getenv("GONB_TMP_DIR"), notebookFolder()} {
		work, err := os.ReadFile(filepath.Join(place, "go.work"))
		if place == "" || err != nil {
			continue
		}
		for line := range strings.Lines(string(work)) {
			line, _, _ = strings.Cut(line, "//")
			line = strings.TrimSpace(line)
			folder := strings.TrimSpace(strings.TrimPrefix(line, "use "))
			if folder == "" {
				continue
			}
			if path, err := strconv.Unquote(folder); err == nil {
				folder = path
			}
			if !filepath.IsAbs(folder) {
				folder = filepath.Join(place, folder)
			}
			if name := moduleOf(folder); name != "" {
				folders[name] = folder
			}
		}
	}
	return folders
}

// moduleOf is the name of the module in a folder, "" where there is none.
func moduleOf(folder string) string {
	mod, _ := os.ReadFile(filepath.Join(folder, "go.mod"))
	for line := range strings.Lines(string(mod)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.Trim(name, " \"`")
		}
	}
	return ""
}

// notebookFolder is the folder of the notebook, or that of a program that is none.
func notebookFolder() string {
	if dir := os.Getenv("GONB_DIR"); dir != "" {
		return dir
	}
	dir, _ := os.Getwd()
	return dir
}

// libraryRoot is the folder with the library's go.mod: one that the workspace uses, or one above the notebook.
func libraryRoot() string {
	if folder, ok := workspace()["bnlab"]; ok {
		return folder
	}
	for dir := notebookFolder(); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if moduleOf(dir) == "bnlab" {
			return dir
		}
	}
	return ""
}

// ownModules returns the hashes of the user's own modules that packages are imported from, and of those that these
// import from, by their names, and what their packages read.
func ownModules(imports []string) (map[string]string, celltext.Outside, error) {
	var read celltext.Outside
	var sums map[string]string
	folders := workspace()
	maps.DeleteFunc(folders, func(name, _ string) bool { return name == "bnlab" || strings.HasPrefix(name, "bnlab/") })
	for open := imports; len(open) > 0; {
		var further []string
		for _, name := range slices.Sorted(maps.Keys(folders)) {
			of := func(path string) bool { return path == name || strings.HasPrefix(path, name+"/") }
			if _, known := sums[name]; known || !slices.ContainsFunc(open, of) {
				continue
			}
			if sums == nil {
				sums = map[string]string{}
			}
			sum, more, err := moduleHash(folders[name], &read)
			if err != nil {
				return nil, read, say.Errorf("whether the module %s has changed cannot be told, mend or remove what cannot "+
					"be read: %w", name, err)
			}
			sums[name] = sum
			further = append(further, more...)
		}
		open = further
	}
	return sums, read, nil
}

// moduleHash is that of a module's go.mod and Go files, without tests and modules within it, and without files that
// the go command does not read either: those with a dot or an underscore at the front, as an editor's locks have. It
// also returns what the files import, and adds to read what those of packages that can be imported read.
func moduleHash(folder string, read *celltext.Outside) (hash string, imports []string, err error) {
	sum := sha256.New()
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && path != folder && (name[0] == '.' || moduleOf(path) != ""):
			return fs.SkipDir
		case d.IsDir() || name[0] == '.' || name[0] == '_' || strings.HasSuffix(name, "_test.go"):
			return nil
		case name != "go.mod" && !strings.HasSuffix(name, ".go"):
			return nil
		}
		if name != "go.mod" {
			src, _ := os.ReadFile(path) // an error comes below
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
			imports = append(imports, importsOf(f)...)
			if err == nil && f.Name.Name != "main" {
				outside := celltext.FileOutside(fset, f, src)
				read.Env, read.Args = append(read.Env, outside.Env...), read.Args || outside.Args
			}
		}
		return sourcehash.File(sum, folder, path)
	})
	return hex.EncodeToString(sum.Sum(nil)), imports, err
}

// importsOf are the paths of a file, as far as it could be read.
func importsOf(f *ast.File) []string {
	var paths []string
	if f == nil {
		return nil
	}
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
