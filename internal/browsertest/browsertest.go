// Package browsertest opens pages in a browser without a window, for tests. It speaks Chromium's DevTools protocol
// over a pipe, as messages of JSON that end in a zero byte, so that it needs neither a port nor a library: a client
// such as github.com/chromedp/chromedp brings the types of the whole protocol, which tests of a page do not use.
package browsertest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// patience is how long a page may take before the test fails; no result depends on it.
const patience = 2 * time.Minute

// A Page is a page in a browser of its own, which ends with the test.
type Page struct {
	t       testing.TB
	to      *os.File
	answers chan message
	session string
	last    int
	ended   bool         // by itself
	said    bytes.Buffer // on its standard error, much of it about what a container lacks
}

type message struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// flags keep the browser from asking anything of the network, and from what a container lacks.
var flags = []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
	"--disable-extensions", "--disable-default-apps", "--mute-audio", "--remote-debugging-pipe",
	"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"}

// Open shows a page of HTML. The test is skipped where there is no Chromium, and as a short one.
func Open(t testing.TB, page []byte) *Page {
	t.Helper()
	p := Start(t)
	file := filepath.Join(t.TempDir(), "page.html")
	must(t, os.WriteFile(file, page, 0o600))
	p.Go("file://" + file)
	return p
}

// Start begins with an empty page. The test is skipped where there is no Chromium, and as a short one.
func Start(t testing.TB) *Page {
	t.Helper()
	if testing.Short() {
		t.Skip("opens a browser")
	}
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no chromium here (apt-get install chromium)")
	}
	in, to, err := os.Pipe()
	must(t, err)
	from, out, err := os.Pipe()
	must(t, err)
	p := &Page{t: t, to: to, answers: make(chan message)}
	profile, err := os.MkdirTemp("", "browsertest") // t.TempDir fails where a child still writes while it is removed
	must(t, err)
	cmd := exec.Command(browser, append(flags, "--user-data-dir="+profile)...)
	cmd.ExtraFiles = []*os.File{in, out} // 3 and 4
	cmd.Stderr = &p.said
	must(t, cmd.Start())
	must(t, in.Close())
	must(t, out.Close())
	done := make(chan struct{})
	t.Cleanup(func() {
		close(done)
		cmd.Process.Kill()
		cmd.Wait()
		if p.ended {
			t.Logf("chromium: %s", p.said.Bytes())
		}
		to.Close()
		from.Close()
		os.RemoveAll(profile)
	})
	go p.read(from, done)
	var made struct {
		TargetID, SessionID string
	}
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	p.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	p.session = made.SessionID
	p.call("Page.enable", nil, nil)
	return p
}

// Go opens an address, of a file or of a server on this machine: no other name is looked up.
func (p *Page) Go(address string) {
	p.t.Helper()
	p.call("Page.navigate", map[string]any{"url": address}, nil)
	p.Wait("location.protocol !== 'about:' && document.readyState === 'complete'", patience)
}

// Wait looks at a condition in JavaScript until it holds. The test fails where that takes longer than the limit.
func (p *Page) Wait(condition string, limit time.Duration) {
	p.t.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		var holds bool
		p.Eval("Boolean("+condition+")", &holds)
		if holds {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("not after %v: %s", limit, condition)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// read passes answers on, and drops events.
func (p *Page) read(from *os.File, done chan struct{}) {
	defer close(p.answers)
	for r := bufio.NewReader(from); ; {
		b, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(b[:len(b)-1], &m) != nil || m.ID == 0 {
			continue
		}
		select {
		case p.answers <- m:
		case <-done:
			return
		}
	}
}

// call sends a command and waits for its answer.
func (p *Page) call(method string, params, result any) {
	p.t.Helper()
	p.last++
	command := map[string]any{"id": p.last, "method": method}
	if params != nil {
		command["params"] = params
	}
	if p.session != "" {
		command["sessionId"] = p.session
	}
	b, err := json.Marshal(command)
	must(p.t, err)
	_, err = p.to.Write(append(b, 0))
	must(p.t, err)
	select {
	case m, ok := <-p.answers:
		switch {
		case !ok:
			p.ended = true
			p.t.Fatalf("%s: the browser has ended", method)
		case m.ID != p.last:
			p.t.Fatalf("%s: answer %d to command %d", method, m.ID, p.last)
		case m.Error != nil:
			p.t.Fatalf("%s: %s", method, m.Error.Message)
		case result != nil:
			must(p.t, json.Unmarshal(m.Result, result))
		}
	case <-time.After(patience):
		p.t.Fatalf("%s: no answer in %v", method, patience)
	}
}

// Eval evaluates an expression of JavaScript in the page and decodes its value; into may be nil. An exception fails
// the test.
func (p *Page) Eval(expression string, into any) {
	p.t.Helper()
	var got struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	p.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true,
		"awaitPromise": true}, &got)
	if got.ExceptionDetails != nil {
		p.t.Fatalf("%.200s: %s", expression, got.ExceptionDetails)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(got.Result.Value, into); err != nil {
		p.t.Fatalf("%.200s: %v", expression, err)
	}
}

// Key presses a key, such as Enter or ArrowDown, where the focus is.
func (p *Page) Key(key string) {
	p.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		p.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key}, nil)
	}
}

// Resize gives the window a size in pixels and a light or a dark background.
func (p *Page) Resize(width, height int, dark bool) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height,
		"deviceScaleFactor": 1, "mobile": width < 600}, nil)
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	p.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme",
		"value": scheme}}}, nil)
}

// Screenshot returns the window as PNG.
func (p *Page) Screenshot() []byte {
	p.t.Helper()
	var got struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &got)
	b, err := base64.StdEncoding.DecodeString(got.Data)
	must(p.t, err)
	return b
}
