package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"bnlab/internal/sourcehash"
)

// configHash returns the configuration as JSON and the hash of all that the
// results depend on besides profile, seed and code.
func configHash(e Experiment, o Options) (json.RawMessage, string, error) {
	info := e.Info()
	config, err := o.config(e)
	if err != nil {
		return nil, "", err
	}
	key := fmt.Sprintf("%s\n%d\n%s", info.ID, info.Revision, config)
	sum := sha256.Sum256([]byte(key))
	return config, hex.EncodeToString(sum[:]), nil
}

// Root returns the checkout that this program was built from: the directory of
// go.mod above the notebook or the working directory, or else above this source
// file. It is empty when there is none at hand.
func Root() string {
	var starts []string
	if dir := os.Getenv("GONB_DIR"); dir != "" {
		starts = append(starts, dir)
	}
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		starts = append(starts, filepath.Dir(file))
	}
	for _, dir := range starts {
		for ; ; dir = filepath.Dir(dir) {
			b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			if err == nil && strings.HasPrefix(string(b), "module bnlab\n") {
				return dir
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return ""
}

// uses returns the experiments whose packages that of id imports, directly or through
// others, and id itself.
func uses(root, id string) []string {
	all := []string{id}
	for i := 0; i < len(all); i++ {
		files, err := filepath.Glob(filepath.Join(root, "experiments", all[i], "*.go"))
		if err != nil {
			continue
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				continue
			}
			for _, spec := range f.Imports {
				other, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "bnlab/experiments/")
				if ok && other != "run" && !slices.Contains(all, other) {
					all = append(all, other)
				}
			}
		}
	}
	return all
}

// shared are the sources that results of any experiment can depend on.
var shared = []string{"go.mod", "bnkit", "internal", "datasets", "experiments/run"}

// codeHash returns the hash of the sources that an experiment's results can depend on: those shared by all,
// the experiment's own and those of experiments that it uses.
// It is empty when the sources are not at hand.
func codeHash(id string) string {
	root := Root()
	if root == "" {
		return ""
	}
	sum := sha256.New()
	parts := slices.Clone(shared)
	for _, used := range uses(root, id) {
		parts = append(parts, "experiments/"+used)
	}
	for _, part := range parts {
		err := sourcehash.Add(sum, root, part)
		if err != nil && !os.IsNotExist(err) {
			return ""
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
