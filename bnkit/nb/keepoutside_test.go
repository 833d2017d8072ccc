package nb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeepOutside changes what a computation reads besides its text: an environment variable, in the cell and in a
// module of the user's, and an argument of the program.
func TestKeepOutside(t *testing.T) {
	c := newCell(t)
	c.text = strings.NewReplacer(`import "mine"`, "import \"mine\"\nimport \"os\"", "	// the rows\n", "",
		"len(name)", `len(name + os.Getenv("SITE") + os.Args[1])`).Replace(keepCell)
	c.file("mine.go", "package mine\n\nimport \"os\"\n\nvar More = len(os.Getenv(\"MORE\"))\n")
	old := os.Args
	t.Cleanup(func() { os.Args = old })
	os.Args = []string{"cell", "a"}
	t.Setenv("SITE", "siteA")
	t.Setenv("MORE", "") // removed at the end
	os.Unsetenv("MORE")
	c.run()
	for _, step := range []struct {
		change func()
		said   string
	}{
		{func() { os.Setenv("SITE", "siteB") }, "the environment variable SITE"},
		{func() { os.Setenv("MORE", "") }, "the environment variable MORE"},
		{func() { os.Args = []string{"cell", "b"} }, "an argument of the program"},
		{func() { os.Setenv("OTHER_THAN_THESE", "x") }, ""},
	} {
		step.change()
		computed, said := c.run()
		if want := "rows: computed anew, as " + step.said + " has changed\n"; step.said != "" && said != want ||
			computed != (step.said != "") {
			t.Errorf("computed %v, said %q, want %q", computed, said, want)
		}
		if computed, said := c.run(); computed {
			t.Errorf("%s, again: computed, said %q", step.said, said)
		}
	}
	os.Unsetenv("OTHER_THAN_THESE")
	if b, err := os.ReadFile(filepath.Join(".gonb_cache", "rows"+recordEnd)); err != nil ||
		strings.Contains(string(b), "siteB") {
		t.Errorf("the record holds the value of a variable, which may be secret: %s, %v", b, err)
	}
	os.Setenv("SITE", "siteC")
	v := 0
	c.out.Reset()
	if err := kept("rows", &v); err != nil || !strings.Contains(c.out.String(), "variable SITE has changed since") {
		t.Errorf("%v, said %q", err, &c.out)
	}
}

// TestKeepUnknown names what must be given.
func TestKeepUnknown(t *testing.T) {
	c := newCell(t)
	c.text = strings.NewReplacer(`import "mine"`, "import \"mine\"\nimport \"time\"", "	// the rows\n", "",
		"len(name)", "time.Now().Day()").Replace(keepCell)
	c.file(filepath.Join(os.Getenv("GONB_TMP_DIR"), "main.go"), c.text)
	err := keep("rows", new(int), func() { t.Error("computed") }, caller{"/x/main.go", 11}, nil)
	want := "the value depends on time.Now (the time): give that to Keep after the function"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}
