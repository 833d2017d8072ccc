package sqldata

import (
	"errors"
	"strings"

	"bnlab/internal/say"
)

// table quotes the parts of a table's name.
func (d Dialect) table(name string) (string, error) {
	parts, err := parts(name)
	if err != nil {
		return "", err
	}
	for i, p := range parts {
		parts[i] = d.quote(p)
	}
	return strings.Join(parts, "."), nil
}

// parts splits the name of a table at dots outside double quotes and takes the quotes away.
func parts(name string) ([]string, error) {
	var list []string
	for rest := name; ; {
		var part string
		var err error
		if part, rest, err = firstPart(rest); err != nil {
			return nil, say.Errorf("sqldata: the table name %q %w", name, err)
		}
		list = append(list, part)
		if rest == "" {
			return list, nil
		}
		rest = rest[1:] // the dot
	}
}

// firstPart cuts the first part off; the rest is empty or begins with a dot.
func firstPart(s string) (part, rest string, err error) {
	if strings.ContainsRune(s, 0) {
		return "", "", errors.New("has a zero byte")
	}
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexByte(s, '.')
		if end < 0 {
			end = len(s)
		}
		part, rest = s[:end], s[end:]
		if strings.Contains(part, `"`) {
			return "", "",
				errors.New(`has a double quote within a part; put the part in double quotes, and double those within`)
		}
	} else {
		var b strings.Builder
		i := 1
		for ; i < len(s); i++ {
			if s[i] == '"' {
				if i+1 == len(s) || s[i+1] != '"' {
					break
				}
				i++
			}
			b.WriteByte(s[i])
		}
		if i == len(s) || i+1 < len(s) && s[i+1] != '.' {
			return "", "", errors.New("has a part whose double quotes do not end where it does")
		}
		part, rest = b.String(), s[i+1:]
	}
	if part == "" {
		return "", "", errors.New("has an empty part")
	}
	return part, rest, nil
}
