package datasets

import (
	"archive/zip"
	"compress/gzip"
	"io"
	"os"
	"path"

	"bnlab/internal/say"
)

// unpack installs the file that the fetched part contains at target.
func unpack(part, target string, f File, address string) error {
	url, in, member := parseAddress(address)
	if in == zipped {
		return unpackZip(part, target, f, url, member)
	}
	file, err := os.Open(part)
	if err != nil {
		return &localError{err}
	}
	defer file.Close()
	var src io.Reader = file
	if in == gzipped {
		z, err := gzip.NewReader(file)
		if err != nil {
			return say.Errorf("%s: %w", url, err)
		}
		defer z.Close()
		src = z
	}
	return install(src, target, f, url)
}

// unpackZip takes one member out of a ZIP archive. A member in a folder of
// the archive is found too, if it is the only one of that name.
func unpackZip(part, target string, f File, url, member string) error {
	archive, err := zip.OpenReader(part)
	if err != nil {
		return say.Errorf("%s: %w", url, err)
	}
	defer archive.Close()
	var found []*zip.File
	var all []string
	for _, entry := range archive.File {
		if entry.Name == member {
			found = []*zip.File{entry}
			break
		}
		if path.Base(entry.Name) == member {
			found = append(found, entry)
		}
		all = append(all, entry.Name)
	}
	if len(found) != 1 {
		return say.Errorf("%s: %d files %s in the archive, which has %s",
			url, len(found), member, say.List(all))
	}
	if size := found[0].UncompressedSize64; f.Bytes > 0 && size != uint64(f.Bytes) {
		return say.Errorf("%s: %w: %s has %d bytes, want %d", url, ErrChecksum, member, size, f.Bytes)
	}
	src, err := found[0].Open()
	if err != nil {
		return say.Errorf("%s: %s: %w", url, member, err)
	}
	defer src.Close()
	return install(src, target, f, url+"#"+member)
}
