package atomicfile

import "os"

// rename closes the temporary file first: Windows moves no open file.
func rename(f *os.File, path string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
