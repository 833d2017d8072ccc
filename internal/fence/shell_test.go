package fence_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// newer are what bash 3.2, which macOS has, lacks, by the version that brought it.
var newer = []struct {
	form   *regexp.Regexp
	reason string
}{
	{regexp.MustCompile(`\b(mapfile|readarray|coproc)\b`), "is of bash 4.0; read in a loop"},
	{regexp.MustCompile(`\$\{!?\w+(\[[^]]*\])?(,|\^)`), "changes letters since bash 4.0; use tr"},
	{regexp.MustCompile(`\b(declare|local|typeset)\s+-[a-zA-Z]*[Ang]`),
		"associative arrays, references and global declarations are of bash 4.0 and later"},
	{regexp.MustCompile(`\[\[?\s+(!\s+)?-v\s`), "is of bash 4.2; ask ${name+set}"},
	{regexp.MustCompile(`\$\{\w+(\[[^]]*\])?:[^}:]*:\s*-`), "a negative length is of bash 4.2"},
	{regexp.MustCompile(`\w\[-[0-9]`), "counting from the end of an array is of bash 4.2"},
	{regexp.MustCompile(`&>>|\|&`), "is of bash 4.0; write 2>&1"},
	{regexp.MustCompile(`;;?&\s*$`), "going on in a case is of bash 4.0"},
	{regexp.MustCompile(`\{0\d+\.\.|\{[^{}]+\.\.[^{}]+\.\.`), "steps and leading zeros in braces are of bash 4.0"},
	{regexp.MustCompile(`\$\{\w+(\[[^]]*\])?@[A-Za-z]\}`), "is of bash 4.4; use printf %q"},
	{regexp.MustCompile(`%\([^)]*\)T`), "times of printf are of bash 4.2; use date"},
	{regexp.MustCompile(`\bshopt\s+-s\s+.*(globstar|lastpipe|inherit_errexit)`), "is of bash 4.0 or later"},
	{regexp.MustCompile(`\bwait\s+-n\b|\bread\s+-[a-zA-Z]*[Ni]|\bread\b.*\s-t\s*0?\.`), "is of bash 4.0 or later"},
	{regexp.MustCompile(`\$\{?(EPOCHSECONDS|EPOCHREALTIME|SRANDOM|BASHPID)\b`), "is of bash 4.0 or later"},
	{regexp.MustCompile(`\{\w+\}[<>]`), "choosing a number for a file is of bash 4.1"},
	{regexp.MustCompile(`\$'[^']*\\[uU][0-9a-fA-F]`), `\u is of bash 4.2`},
}

var (
	allElements = regexp.MustCompile(`"\$\{(\w+)\[[@*]\]\}"`)
	hereText    = regexp.MustCompile(`<<-?\s*['"]?(\w+)['"]?`)
)

// guardedFor is how many lines before "${list[@]}" the script may have asked for ${#list[@]}.
const guardedFor = 12

// beyond32 says in words which lines of a script bash 3.2 cannot run. All elements of an empty list, in quotes, end
// a script there under set -u: it has to ask for their number before, or write ${list[@]+"${list[@]}"}.
func beyond32(text string) []string {
	var found []string
	lines := strings.Split(text, "\n")
	end := "" // of a text within the script
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if end != "" {
			if trimmed == end {
				end = ""
			}
			continue
		}
		if strings.HasPrefix(trimmed, "#") {
			continue
		}
		if m := hereText.FindStringSubmatch(line); m != nil && !strings.Contains(line, "<<<") {
			end = m[1]
		}
		for _, n := range newer {
			if at := n.form.FindString(line); at != "" {
				found = append(found, fmt.Sprintf("line %d: %s %s", i+1, strings.TrimSpace(at), n.reason))
			}
		}
		for _, m := range allElements.FindAllStringSubmatchIndex(line, -1) {
			name := line[m[2]:m[3]]
			asked := strings.Join(lines[max(0, i-guardedFor):i+1], "\n")
			if !strings.HasSuffix(line[:m[0]], "["+"@]+") && !strings.Contains(asked, "${#"+name+"[@]}") {
				found = append(found, fmt.Sprintf("line %d: %s ends the script where the list is empty", i+1,
					line[m[0]:m[1]]))
			}
		}
	}
	return found
}

// TestBash32 looks for what bash 3.2 lacks in all scripts.
func TestBash32(t *testing.T) {
	root := filepath.Join("..", "..")
	files := []string{filepath.Join(root, ".ci", "run")}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "build"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".sh"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 2 {
		t.Errorf("found %q, want reproduce.sh among them", files)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range beyond32(string(b)) {
			t.Errorf("%s, %s (macOS has bash 3.2)", strings.TrimPrefix(file, root+string(filepath.Separator)), line)
		}
	}
}

// TestBeyond32 breaks the rule in each way.
func TestBeyond32(t *testing.T) {
	for _, bad := range []string{"mapfile -t a < <(b)", "readarray a", "coproc x", `echo "${x,,}"`, "echo ${x^}",
		"declare -A a", "local -n r=$1", "declare -gr x=1", "[[ -v x ]]", "[[ ! -v x ]]", "echo ${x:1:-1}",
		"echo ${x: -4: -2}", "echo ${a[-1]}", "a &>>log", "a |& b", "\tx) a ;;&", "\tx) a ;&", "echo {01..10}",
		"echo {1..9..2}", "echo ${x@Q}", "printf '%(%s)T'", "shopt -s globstar", "wait -n", "read -N 1 x",
		"read -r -t 0.5 x", "echo $EPOCHSECONDS", "exec {fd}>file", `echo $'\u2714'`, `echo "${a[@]}"`,
		"cat <<X\nmapfile\nX\nmapfile -t a"} {
		if got := beyond32(bad); len(got) != 1 {
			t.Errorf("%q: %q, want one line", bad, got)
		}
	}
	for _, good := range []string{"# mapfile", "cat <<'X'\nmapfile\nX", "echo ${x:-a,b}", "echo ${x: -3}",
		"echo ${x:1:2}", `echo ${a[@]+"${a[@]}"}`, "if ((${#a[@]})); then\n\techo \"${a[@]}\"\nfi", "local out python", "x >>log 2>&1",
		"a+=(b)", "[[ $x =~ ^[a-z]+$ ]]", "for i in {1..9}; do", "IFS=, read -ra ids <<<\"$only\"", "x) a ;;",
		`echo "${!a[@]}"`, "printf '%q' \"$x\"", "a & b", "echo ${a[id]}", "[[ -v"} {
		if got := beyond32(good); len(got) > 0 {
			t.Errorf("%q: %q", good, got)
		}
	}
}
