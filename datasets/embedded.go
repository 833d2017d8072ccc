package datasets

import (
	"bytes"
	"path/filepath"

	"bnlab/internal/say"
)

// unpackEmbedded writes a compiled-in file to the cache, unless it is there.
func unpackEmbedded(f File, set *Settings) (string, error) {
	cache, err := set.cacheDir()
	if err != nil {
		return "", say.Errorf("datasets: %s is inside the program and needs a folder to be written to: %w; "+
			"set XDG_CACHE_HOME, or use Open", f.Path, err)
	}
	target := filepath.Join(cache, filepath.FromSlash(f.Path))
	if verify(target, f.SHA256) == nil {
		return target, nil
	}
	data, err := shipped.ReadFile(f.Path)
	if err != nil {
		return "", say.Errorf("datasets: %w", err)
	}
	if err := install(bytes.NewReader(data), target, f, f.Path); err != nil {
		return "", say.Errorf("datasets: %w", err)
	}
	return target, nil
}
