package format_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/bnkit/learn"
)

func TestReadByContent(t *testing.T) {
	dir := t.TempDir()
	n := small(t)["asymmetric"]
	for _, form := range format.Formats() {
		for _, head := range []string{"", "\ufeff",
			map[bool]string{true: "", false: comment(form)}[form.Name == "XMLBIF" || form.Name == "GeNIe XDSL"]} {
			named := filepath.Join(dir, "net"+form.Extensions[0])
			if _, err := format.Write(named, &format.File{Network: n}); err != nil {
				t.Fatal(err)
			}
			src, err := os.ReadFile(named)
			if err != nil {
				t.Fatal(err)
			}
			bare := filepath.Join(dir, "net.txt")
			if err := os.WriteFile(bare, append([]byte(head), src...), 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := format.Read(bare)
			if err != nil {
				t.Errorf("%s with %q in front: %v", form.Name, head, err)
			} else if d := difference(n, f.Network); d != "" {
				t.Errorf("%s: %s", form.Name, d)
			}
		}
	}
	for _, src := range []string{"", "// only a comment", "<html><body>", "a,b\n1,2\n"} {
		path := filepath.Join(dir, "other.txt")
		if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := format.Read(path); !errors.Is(err, format.ErrUnknownFormat) {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// comment is one of the format's.
func comment(form format.Format) string {
	if form.Name == "Hugin net" {
		return "% node x\n"
	}
	return "// net\n/* node */"
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := format.Read(filepath.Join(dir, "none.net")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	path := filepath.Join(dir, "a.net")
	if err := os.WriteFile(path, []byte("node a {\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := format.Read(path)
	var at *format.SyntaxError
	if !errors.As(err, &at) || at.File != path || !strings.Contains(err.Error(), path+", line 1, column 6") {
		t.Errorf("the error does not name the file: %v", err)
	}
	if _, err := (format.Reader{MaxBytes: 10}).Read(path); !errors.Is(err, bn.ErrTooLarge) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("eleven bytes pass a limit of ten: %v", err)
	}
	path = filepath.Join(dir, "a.bif")
	if err := os.WriteFile(path, []byte("variable"), 0o644); err != nil {
		t.Fatal(err)
	}
	var inBIF *format.SyntaxError
	if _, err := format.Read(path); !errors.As(err, &inBIF) || inBIF.File != path {
		t.Errorf("the error does not name the file: %v", err)
	}
}

func TestWriteIsWholeOrNot(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.dne")
	if err := os.WriteFile(path, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	n, err := bn.New("[x]", bn.Continuous("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := format.Write(path, &format.File{Network: n}); !errors.Is(err, bn.ErrNotDiscrete) {
		t.Error(err)
	}
	if src, err := os.ReadFile(path); err != nil || string(src) != "before" {
		t.Errorf("a network that cannot be written left %q (%v)", src, err)
	}
	if _, err := format.Write(filepath.Join(dir, "a.txt"), &format.File{Network: n}); !errors.Is(err,
		format.ErrUnknownFormat) {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("files left behind: %v (%v)", entries, err)
	}
}

// TestNoisyORIsLearns makes the table of a noisy-MAX node of two states in the way of
// learn.NoisyORCPD, from its links.
func TestNoisyORIsLearns(t *testing.T) {
	m := &netdoc.NoisyMAX{
		Child: bn.Discrete("fever", "yes", "no"),
		Parents: []bn.Variable{bn.Discrete("flu", "no", "yes"), bn.Discrete("rest", "yes", "no"),
			bn.Discrete("cold", "yes", "no")},
		Strengths: [][]int{{1, 0}, {1, 0}, {0, 1}},
		Effects:   [][][]float64{{{0.8, 0.2}, {0, 1}}, {{0.3, 0.7}, {0, 1}}, {{0.45, 0.55}, {0, 1}}},
		Leak:      []float64{0.01, 0.99},
	}
	want, err := m.CPT()
	if err != nil {
		t.Fatal(err)
	}
	present, links, leak, err := m.Links()
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.New("[flu][rest][cold][fever|flu:rest:cold]", append(m.Parents, m.Child)...)
	if err != nil {
		t.Fatal(err)
	}
	family, err := learn.NoisyORCPD{Child: "fever", Leak: true, Present: present}.Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	logits := make([]float64, 0, 4)
	for _, q := range append(links, leak) {
		logits = append(logits, math.Log(q/(1-q)))
	}
	got := make([]float64, len(want.P))
	family.Table(got, logits)
	for i := range got {
		if !(math.Abs(got[i]-want.P[i]) < 1e-14) {
			t.Errorf("entry %d is %v, learn.NoisyORCPD has %v", i, want.P[i], got[i])
		}
	}
}
