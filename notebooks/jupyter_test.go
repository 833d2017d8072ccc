package notebooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bnlab/internal/browsertest"
)

// TestJupyter uses notebook 00 as a visitor does, in Jupyter's own page: runs all cells, clicks a state in the
// explorer, interrupts a long fit, and explores a network that its cell answers for.
func TestJupyter(t *testing.T) {
	python(t) // or skips
	start := time.Now()
	page := browsertest.Start(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "00.ipynb"), withCells(t, "00-quickstart.ipynb", longFit, live))
	address := serve(t, dir)
	page.Go(address("notebooks/00.ipynb"))

	const limit = 5 * time.Minute // alone on two processors, the whole takes about a minute
	page.Wait(`globalThis.Jupyter?.notebook?.kernel?.is_connected()`, limit)
	t.Logf("connected after %.0f s", time.Since(start).Seconds())
	page.Eval(`globalThis.codes = () => Jupyter.notebook.get_cells().filter(c => c.cell_type === "code");
		globalThis.cellWith = s => codes().find(c => c.get_text().includes(s));
		globalThis.printed = c => c.output_area.element[0].innerText;
		document.querySelector("#run_all_cells a").click(); 0`, nil)

	// The long fit goes on; all cells before it have ended, none with an error.
	page.Wait(`codes().slice(0, -2).every(c => c.input_prompt_number > 0) || codes().some(
		c => c.output_area.outputs.some(o => o.output_type === "error"))`, limit)
	t.Logf("all cells run after %.0f s", time.Since(start).Seconds())
	var errors string
	page.Eval(`codes().flatMap(c => c.output_area.outputs).filter(
		o => o.output_type === "error" || o.name === "stderr").map(o => o.text ?? o.traceback.join("\n")).join("\n")`, &errors)
	if errors != "" {
		t.Errorf("a cell prints on its standard error:\n%s", errors)
	}

	// A click on a state answers in the bars.
	var before, after float64
	const width = `Number(state("recurrence = yes").querySelector(".bar").getAttribute("width"))`
	page.Eval(`globalThis.explorer = cellWith("nb.Explore").output_area.element[0].querySelector(
			"[data-bnlab-explorer]").shadowRoot;
		globalThis.state = name => [...explorer.querySelectorAll(".state")].find(
			g => g.getAttribute("aria-label").startsWith(name));
		`+width, &before)
	page.Eval(`state("deg-malig = 3").dispatchEvent(new MouseEvent("click", {bubbles: true})); `+width, &after)
	if !(after > before+1) {
		t.Errorf("the bar of recurrence is %v pixels wide before the click and %v after it", before, after)
	}

	// The button that interrupts ends a fit with the best so far.
	page.Wait(`/iteration \d/.test(printed(cellWith("1e9"))) || cellWith("1e9").input_prompt_number > 0`, limit)
	interrupt := func(cell string) {
		page.Eval(`document.querySelector("button[data-jupyter-action='jupyter-notebook:interrupt-kernel']").click(); 0`,
			nil)
		page.Wait(fmt.Sprintf(`cellWith(%q).input_prompt_number > 0`, cell), limit)
	}
	interrupt("1e9")
	var fit string
	page.Eval(`printed(cellWith("1e9"))`, &fit)
	for _, want := range []string{"the best so far follows", "interrupted at start "} {
		if !strings.Contains(fit, want) {
			t.Errorf("the fit that was interrupted does not print %q:\n%s", want, fit)
		}
	}

	// Two findings in a network that is too wide for the page are answered by the cell that shows it.
	// GoNB's channel comes to the page after what the cell prints; until then there is one finding at a time.
	page.Wait(`/goes on until/.test(printed(cellWith("Live"))) && Boolean(globalThis.gonb_comm) ||
		cellWith("Live").input_prompt_number > 0`, limit)
	page.Eval(`globalThis.explorer = cellWith("Live").output_area.element[0].querySelector(
			"[data-bnlab-explorer]").shadowRoot;
		for (const name of ["ill = yes", "cause01 = yes"]) {
			state(name).dispatchEvent(new MouseEvent("click", {bubbles: true}));
		}
		globalThis.says = () => explorer.querySelector(".side p[role=status]").textContent; 0`, nil)
	page.Wait(`!says().startsWith("Asking")`, limit)
	var findings string
	page.Eval("explorer.querySelector('.findings').textContent + ': ' + says()", &findings)
	if want := "× cause01 = yes× ill = yes: P(findings) = 0.2632"; findings != want { // 0.05 + 0.9·9/17, halved
		t.Errorf("the cell answers %q, want %q", findings, want)
	}
	interrupt("Live")
	t.Logf("interrupted after %.0f s", time.Since(start).Seconds())

	// Tab completes a name and Shift-Tab tells about it. While gopls reads the packages for the first time, the kernel
	// answers that it takes too long; who presses the key again is told.
	if _, err := os.Stat("../.tools/bin/gopls"); err != nil {
		t.Log("no gopls, which reproduce.sh --setup could not install")
		return
	}
	for _, ask := range []struct{ key, request, want string }{
		{"Tab", `complete("%%\nnb.Explo", 11`, "Explore"},
		{"Shift-Tab", `inspect("%%\nnb.Explore(nil, nil)", 8`, "a click on a state makes it a finding"},
	} {
		for deadline := time.Now().Add(limit); ; {
			var told string
			page.Eval("new Promise(told => Jupyter.notebook.kernel."+ask.request+
				", reply => told(JSON.stringify(reply.content))))", &told)
			if strings.Contains(told, ask.want) {
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("%s tells %s, without %q", ask.key, told, ask.want)
				break
			}
		}
	}
	t.Logf("end after %.0f s", time.Since(start).Seconds())
}

// longFit is a cell that goes on until it is interrupted.
const longFit = `%%
df := nb.Must(datasets.BreastCancer())
net := nb.Must(bnkit.NewNetwork("[kind][deg_malig|kind][irradiat|kind][inv_nodes|kind]", df,
	&bnkit.NetworkOptions{Hidden: map[string][]string{"kind": {"a", "b"}}}))
model := nb.Must(bnkit.Fit(nb.Context(), net, df, learn.EM{Pseudocount: 1}, &bnkit.Settings{
	Seed: 1, Starts: 1e9, Progress: nb.Progress("kinds").Fit}))
nb.Println(model)
`

// live is a cell that answers for a network with a variable of seventeen parents, each of which makes it more likely.
const live = `%%
vars, arcs, causes := []bn.Variable{bn.Discrete("ill", "no", "yes")}, "", []string{}
for i := range 17 {
	causes = append(causes, fmt.Sprintf("cause%02d", i+1))
	vars, arcs = append(vars, bn.Discrete(causes[i], "no", "yes")), arcs+"["+causes[i]+"]"
}
net := nb.Must(bn.New(arcs+"[ill|"+strings.Join(causes, ":")+"]", vars...))
p := net.CPT(nb.Must(net.Index("ill"))).P
for row := range len(p) / 2 {
	p[2*row+1] = 0.05 + 0.9*float64(bits.OnesCount(uint(row)))/17
	p[2*row] = 1 - p[2*row+1]
}
nb.Explore(net, &nb.ExploreOptions{Live: true})
`

// withCells is a notebook as it is before it is run, elsewhere, with some cells more.
func withCells(t *testing.T, path string, sources ...string) string {
	t.Helper()
	var notebook map[string]any
	if err := json.Unmarshal([]byte(read(t, path)), &notebook); err != nil {
		t.Fatal(err)
	}
	cells := notebook["cells"].([]any)
	moving, moved := strings.NewReplacer("$GONB_DIR/..", root(t), "../experiments", root(t)+"/experiments",
		"../build", root(t)+"/build"), 0
	for _, cell := range cells {
		c := cell.(map[string]any)
		if c["cell_type"] != "code" {
			continue
		}
		c["outputs"], c["execution_count"] = []any{}, nil
		for i, line := range c["source"].([]any) {
			l := line.(string)
			if strings.HasPrefix(l, "!") { // a shell's words end at spaces
				l = strings.ReplaceAll(l, " ../experiments", " '"+root(t)+"'/experiments")
			}
			l = moving.Replace(l)
			if l != line {
				moved++
			}
			c["source"].([]any)[i] = l
		}
	}
	if moved < 3 {
		t.Errorf("%s speaks of the checkout in %d lines, want 3", path, moved)
	}
	for i, source := range sources {
		cells = append(cells, map[string]any{"cell_type": "code", "id": fmt.Sprintf("more-%d", i), "source": source,
			"metadata": map[string]any{}, "outputs": []any{}, "execution_count": nil})
	}
	notebook["cells"] = cells
	b, err := json.Marshal(notebook)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// serve starts Jupyter's server on a folder, with the kernel of the checkout, and returns the address of a page. It
// ends with the test, which is skipped where it is not installed.
func serve(t *testing.T, dir string) func(page string) string {
	t.Helper()
	version, err := exec.Command("jupyter-notebook", "--version").Output()
	if err != nil || !bytes.HasPrefix(version, []byte("6.")) {
		t.Skipf("no jupyter-notebook of version 6 here, of which this test knows the page: %q, %v "+
			"(apt-get install jupyter-notebook)", version, err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port // the server takes a later one where this is taken meanwhile
	l.Close()
	own := t.TempDir()
	var said bytes.Buffer
	cmd := exec.Command("jupyter-notebook", "--no-browser", "--allow-root", "--ip=127.0.0.1",
		fmt.Sprintf("--port=%d", port), "--notebook-dir="+dir)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+root(t)+"/.tools/jupyter", "JUPYTER_DATA_DIR="+own+"/data",
		"JUPYTER_CONFIG_DIR="+own+"/config", "JUPYTER_RUNTIME_DIR="+own+"/runtime", "TMPDIR="+own,
		"PATH="+root(t)+"/.tools/bin:"+os.Getenv("PATH"), "BNLAB_PROFILE=quick", "BNLAB_OUT="+own+"/figures")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM) // which ends its kernels
		select {
		case <-ended:
		case <-time.After(time.Minute):
			cmd.Process.Kill()
			<-ended
		}
		if t.Failed() {
			t.Logf("jupyter-notebook: %s", said.Bytes())
		}
	})
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		found, _ := filepath.Glob(own + "/runtime/nbserver-*.json")
		var server struct{ URL, Token string }
		if len(found) == 1 && json.Unmarshal([]byte(read(t, found[0])), &server) == nil {
			return func(page string) string { return server.URL + page + "?token=" + server.Token }
		}
		select {
		case <-ended:
			t.Fatal("jupyter-notebook has ended")
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("jupyter-notebook does not start")
		}
	}
}
