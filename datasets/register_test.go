package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestShippedChecksums(t *testing.T) {
	n := 0
	for _, s := range Sets() {
		if !s.Shipped() {
			continue
		}
		n++
		t.Run(s.Name, func(t *testing.T) {
			data, err := shipped.ReadFile(s.Files[0].Path)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(data)
			got := hex.EncodeToString(sum[:])
			if got != s.Files[0].SHA256 || int64(len(data)) != s.Files[0].Bytes {
				t.Errorf("data.csv is %s with %d bytes, register says %s with %d", got, len(data), s.Files[0].SHA256,
					s.Files[0].Bytes)
			}
			for _, file := range []string{s.Name + "/README.md", "make/shipped.sha256"} {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(text), got) {
					t.Errorf("%s does not have the checksum %s", file, got)
				}
			}
		})
	}
	if n != 5 {
		t.Errorf("%d shipped sets, want 5", n)
	}
}

func TestRegister(t *testing.T) {
	sum := regexp.MustCompile(`^[0-9a-f]{64}$`)
	pathForm := regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$`)
	setOf := map[string]string{}
	unknown := 0
	for _, s := range Sets() {
		if s.Title == "" || s.Source == "" || s.Licence == "" || s.Citation == "" {
			t.Errorf("%s: title, source, licence or citation is empty", s.Name)
		}
		if got, err := Find(s.Name); err != nil || got.Name != s.Name {
			t.Errorf("Find(%q) = %q, %v", s.Name, got.Name, err)
		}
		for _, f := range s.Files {
			if other, ok := setOf[f.Path]; ok {
				t.Errorf("%s is in %s and in %s", f.Path, other, s.Name)
			}
			setOf[f.Path] = s.Name
			if !pathForm.MatchString(f.Path) {
				t.Errorf("path %q", f.Path)
			}
			if f.SHA256 == "" {
				unknown++
			} else if !sum.MatchString(f.SHA256) || f.Bytes <= 0 {
				t.Errorf("%s: SHA-256 %q, %d bytes", f.Path, f.SHA256, f.Bytes)
			}
			if len(f.Addresses) == 0 && s.HowTo == "" {
				t.Errorf("%s: neither an address nor advice", f.Path)
			}
			for _, address := range f.Addresses {
				raw, _, _ := parseAddress(address)
				// What comes by plain http can be changed on the way, and only a checksum would tell.
				plain := f.SHA256 == "" && strings.HasPrefix(raw, "http://")
				if u, err := url.Parse(raw); err != nil || u.Host == "" || u.Scheme != "https" && !plain {
					t.Errorf("%s: address %q", f.Path, address)
				}
			}
		}
	}
	if unknown != 1 { // StarPlus at voxel level
		t.Errorf("%d files without a checksum, want 1", unknown)
	}
}

func TestSetsIsACopy(t *testing.T) {
	s := Sets()
	i := len(s) - 3 // the networks, which have addresses
	s[i].Files[0].SHA256 = "changed"
	s[i].Files[0].Addresses[0] = "changed"
	if f := Sets()[i].Files[0]; f.SHA256 == "changed" || f.Addresses[0] == "changed" {
		t.Error("a caller can change the register")
	}
	columns, err := Columns("iris")
	if err != nil {
		t.Fatal(err)
	}
	columns[4].States[0] = "changed"
	if states, _ := States("iris"); states["class"][0] != "setosa" {
		t.Error("a caller can change the states")
	}
}

func TestFindByName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"iris", "iris/data.csv"},
		{"ecoli", "uci/ecoli/ecoli.data"},
		{"alarm.bif", "networks/alarm.bif"},
		{"networks/alarm.bif", "networks/alarm.bif"},
		{"abide", "abide/nyu_ho111.csv.gz"},
		{"starplus", "starplus/matlab_avergage_rois_04847.mat"},
	}
	for _, tt := range tests {
		if _, f, err := find(tt.name); err != nil || f.Path != tt.want {
			t.Errorf("find(%q) = %q, %v, want %q", tt.name, f.Path, err, tt.want)
		}
	}
	for _, name := range []string{"", "Iris", "../etc/passwd", "events.tsv", "data.csv", "alarm"} {
		if _, f, err := find(name); !errors.Is(err, ErrUnknown) {
			t.Errorf("find(%q) = %q, %v, want ErrUnknown", name, f.Path, err)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	_, loadErr := Load("irises")
	_, openErr := Open(t.Context(), "irises", nil)
	_, pathErr := Path(t.Context(), "irises", nil)
	_, findErr := Find("irises")
	_, statesErr := States("irises")
	_, noTable := States("bnlearn-networks")
	for name, err := range map[string]error{"Load": loadErr, "Open": openErr, "Path": pathErr, "Find": findErr,
		"States": statesErr, "States of no table": noTable} {
		if !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v, want ErrUnknown", name, err)
		}
	}
}
