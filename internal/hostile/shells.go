package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"bnlab/internal/say"
)

// scripts are what a case of shells runs: without set-up, so that each ends at once.
var scripts = []struct {
	args   []string
	status int
	says   string
}{
	{[]string{"--help"}, 0, "usage: ./reproduce.sh"},
	{[]string{"-h"}, 0, "usage: ./reproduce.sh"},
	{[]string{"--quick", "--help"}, 0, "usage: ./reproduce.sh"},
	{[]string{"--quick", "--only", "weigh,sharing,hpm", "--help"}, 0, "usage: ./reproduce.sh"},
	{[]string{"--only=timecourse,noisyor,constraints,guarantees,scale,graphs,quickstart", "--help"}, 0,
		"usage: ./reproduce.sh"},
	{[]string{"--only", "abcdefghijklmnopqrstuvwxyz0123456789", "--help"}, 0, "usage: ./reproduce.sh"},
	{[]string{"--only"}, 2, "--only needs the ids"},
	{[]string{"--only", "WEIGH"}, 2, "--only takes ids"},
	{[]string{"--only", "a b"}, 2, "--only takes ids"},
	{[]string{"--only", "$(touch pwned)"}, 2, "--only takes ids"},
	{[]string{"--only", "é"}, 2, "--only takes ids"},
	{[]string{"--only", "ı"}, 2, "--only takes ids"},
	{[]string{"--only=,weigh"}, 2, "--only takes ids"},
	{[]string{"--unknown"}, 2, "there is no option '--unknown'"},
	{[]string{"--only", "\x1b[2J"}, 2, "--only takes ids"},
	{[]string{"--quick", "--check"}, 2, "--quick cannot go with"},
	{[]string{"--check", "--update"}, 2, "cannot go with --check"},
	{[]string{"--notebook"}, 2, "--notebook needs a folder"},
}

// options of a shell under which a script may be started, and folders that it may stand in.
var (
	shellOptions = [][]string{{}, {"-e"}, {"-u"}, {"-f"}, {"-o", "pipefail"}, {"-o", "noclobber"}, {"-o", "posix"},
		{"-O", "nocasematch"}, {"-O", "failglob"}, {"-O", "nullglob"}, {"-O", "extglob"}, {"-O", "dotglob"}}
	folders = []string{"plain", "with space", "with:colon", "with'quote", "with\"quotes", "with$dollar", "with*star",
		"-dash", "with\nline", "größe", "with[bracket]", "with\\backslash", "with`tick`", "with;semicolon", "with&and"}
)

// locales are those of this machine, and one that it does not have.
var locales = sync.OnceValue(func() []string {
	list := []string{"C", "POSIX", "xx_XX.UTF-8"}
	if out, err := exec.Command("locale", "-a").Output(); err == nil {
		list = append(list, strings.Fields(string(out))...)
	}
	slices.Sort(list)
	return slices.Compact(list)
})

// tryShells starts reproduce.sh with a locale of this machine, some options of the shell, in a folder with a name that
// scripts stumble over, and expects what it says in a plain one.
func tryShells(t *trial) (string, error) {
	home, err := root()
	if err != nil {
		return "", err
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		return "without bash", nil
	}
	script, err := os.ReadFile(filepath.Join(home, "reproduce.sh"))
	if err != nil {
		return "", err
	}
	if t.rng.IntN(20) == 0 {
		return trySyntax(bash, home, locales()[t.rng.IntN(len(locales()))])
	}
	x := scripts[t.rng.IntN(len(scripts))]
	options := shellOptions[t.rng.IntN(len(shellOptions))]
	locale := locales()[t.rng.IntN(len(locales()))]
	name := folders[t.rng.IntN(len(folders))]
	dir := filepath.Join(t.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "without folders of some names", nil // as on Windows
	}
	if err := os.WriteFile(filepath.Join(dir, "reproduce.sh"), script, 0o700); err != nil {
		return "", err
	}
	from, path := dir, "./reproduce.sh"
	if t.rng.IntN(2) == 0 {
		from, path = t.dir, filepath.Join(dir, "reproduce.sh")
	}
	cmd := exec.Command(bash, slices.Concat(options, []string{path}, x.args)...)
	cmd.Dir = from
	cmd.Env = append(os.Environ(), "LC_ALL="+locale, "LANG="+locale, "BASH_ENV=", "ENV=", "BNLAB_DATA=",
		"CDPATH=/:/tmp")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return "", say.Errorf("bash did not start: %w", err)
	}
	// A shell warns of a locale that is not there.
	said := string(out)
	if status := cmd.ProcessState.ExitCode(); status != x.status || !strings.Contains(said, x.says) {
		return "", say.Errorf("bash %q %q %q in %q with LC_ALL=%s ended with status %d, want %d and %q:\n%s", options,
			path, x.args, from, locale, status, x.status, x.says, said)
	}
	for _, dir := range []string{dir, from} {
		if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
			return "", say.Errorf("%q of --only ran as a command", x.args)
		}
	}
	return "reproduce.sh", nil
}

// trySyntax has a shell read all scripts without running them.
func trySyntax(bash, home, locale string) (string, error) {
	for _, script := range []string{"reproduce.sh", ".ci/run", ".ci/orders"} {
		cmd := exec.Command(bash, "-n", script)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "LC_ALL="+locale, "BASH_ENV=", "ENV=")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", say.Errorf("bash -n %s with LC_ALL=%s: %w\n%s", script, locale, err, out)
		}
	}
	return "syntax of scripts", nil
}
