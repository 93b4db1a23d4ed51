package yaml

// alphabet is what mutations insert and garbage is made of.
var alphabet = []string{
	"a", "b", "key", "1", "0", "-", "- ", ": ", ":", "\n", "\n", " ", "  ", "\t", "#", " #c\n", ",", ", ", "[", "]", "{", "}", "?", "? ",
	"&a ", "*a", "&", "*", "!", "!!str ", "!!int ", "!<x> ", "|", ">", "|-\n", ">+\n", "|2\n", "'", "\"", "\"a\"", "'b'", "\\", "\\n", "\\x41",
	"\\u263a", "\\ud83d", "%", "%YAML 1.1\n", "%YAML 1.2\n", "%TAG ! tag:x,1:\n", "@", "`", "---\n", "--- ", "...\n", "<<: ", "<<", "~", "null", "yes",
	"\r\n", "\r", "é", "\u2028", "\u0085", "\ufeff", "\u00a0", "😀", "\x00", "\x07", "\x7f", "\xff", "\xc3", "=", "\n  ", "\n    ", "\n- ", "\na: ",
}

// linePieces are the words of disorderly lines.
var linePieces = []string{
	"a: ", "b: ", "c:", "- ", "- ", "-", "? ", ": ", "x", "y z", "1", "true", "\"q\"", "'s'", "\"q", "'s", "[", "]", "{", "}", "[a, b]", "{a: 1}", ", ",
	"# c", " # c", "|", ">", "|-", "|+", ">-", "|1", "&a ", "&b ", "*a", "*b", "!!str ", "!x ", "<<: ", "<<: *a", "<<: [*a, *b]", "---", "...", "\t", "  ",
	"%YAML 1.1", "\"a\\", "\\\"", "''", "\"\"", "a:b", "a#b", "-1", "--", "key: value", "key: {a: [1, 2]}",
}

// scalarPieces make odd numbers, dates and words.
var scalarPieces = []string{
	"0", "1", "7", "8", "9", "12", "0x", "0o", "0b", "0X", "f", "F", "_", ".", "e", "E", "+", "-", ":", "59", "60", "inf", "nan", "Inf", "NaN", "T", "t", "Z", " ",
	"2001", "-1", "-02", "-12", "-30", "-31", "yes", "no", "on", "off", "y", "n", "true", "false", "null", "~", "10", "00", "1e", "e5", ",", "/",
}

// scalars are forms with a meaning, or nearly so.
var scalars = []string{
	"", "~", "null", "Null", "NULL", "nULL", "y", "Y", "yes", "Yes", "YES", "yEs", "on", "On", "ON", "oN", "n", "N", "no", "No", "NO", "nO", "off", "Off", "OFF",
	"true", "True", "TRUE", "tRue", "false", "False", "FALSE", "0", "-0", "+0", "00", "1", "-1", "+1", "12345678901", "0755", "-0755", "0o755", "0O17", "-0o17",
	"08", "09.5", "0x1F", "0X1f", "-0x1F", "0x", "0b101", "-0b101", "0B11", "0b", "0b2", "0b-1", "0b+1", "-0b-1", "1_000", "_1", "1_", "1__0", "0x_f", "0b_1", "0_7",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
	"0xFFFFFFFFFFFFFFFF", "0x7FFFFFFFFFFFFFFF", "-0x8000000000000000", "0x10000000000000000", "0777777777777777777777", "01777777777777777777777", "02000000000000000000000",
	"+9223372036854775808", "123456789012345678901234567890", "1.0", "1.", ".5", "-.5", "+.5", "5.e3", "1e3", "1E3", "1e+3", "1e-3", "1e400", "-1e400", "1e-400", "5e-324",
	"1.7976931348623157e308", "1.7976931348623159e308", "1e1000000", ".5_5", "._5", ".5_", ".e5", ".", "..", "...a", "1_0.5", "1.5_5", "0x1p3", "0x1.8p1", ".0x1p3", "1.2.3",
	".inf", ".Inf", ".INF", "-.inf", "+.inf", ".iNF", ".nan", ".NaN", ".NAN", "-.nan", "inf", "NaN", "+inf", "-Inf", "190:20:30", "1:60", "1:5", "-1:5.5", "12:30:45",
	"2001-01-01", "2001-1-1", "2001-13-01", "2001-02-29", "2000-02-29", "2001-12-14t21:59:43.10-05:00", "2001-12-15T02:59:43.1Z", "2001-12-14 21:59:43.10 -5",
	"2001-12-15 2:59:43.10", "2001-12-15 2:59:43,10", "2001-12-15  2:59:43", "2001-12-15T24:00:00Z", "2001-12-15T23:59:60Z", "2001-12-15T1:2:3+24:60", "2001-12-15T1:2:3+25:00",
	"2001-12-15T1:2:3", "2001-12-15 1:2:3Z", "2001-12-15T1:2:3.Z", "0000-01-01", "9999-12-31", "20011-01-01", "<<", "=", "a b", "a: b", "a #b", "a#b", "-a", "--", "---", "- a", "?a", ":a",
	"[a", "a]", "{a}", "[]", "{}", "[a, b]", "{a: b}", "{a, b: c}", "&a b", "*a", "!a b", "|", ">", "'a'", "\"a\"", "'a''b'", "\"\\t\\x41\\u263a\\U0001F600\"", "\"\\q\"", "\"\\/\"",
	"\"\\ud83d\\ude00\"", "\"\\uD800\"", "\"\\0\\a\\b\\e\\v\\N\\_\\L\\P\"", "\"a\\\n  b\"", "\"a\n\n  b\"", "'a\n  b'", "a\n  b", "%a", "@a", "`a", "é", "日本", "😀", "a\u0085b", "a\u2028b",
	"<a&b>", "SGVsbG8=", "SGVsbG8", "//79/A==", "SGVs\n  bG8=", "1 2", "0.1", "0.30000000000000004", "100000", "1000000", "1000000.0", "1e5", "1e6", "1e20", "1e21", "1e-5", "1e-6", "1e-7", "123456789.5",
	"16777217.0", "3.4e38", "3.5e38", "1e-46", "tag:yaml.org,2002:str",
}

// manifests are documents as people write them, to be damaged.
var manifests = []string{
	`apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: train
  labels: {app: "demo", tier: 1}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        count: 2
        selectors:
        - cel:
            expression: >-
              device.attributes["gpu.example.com"].model == "a100" &&
              device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("40Gi"))
`, `# defaults
base: &base
  image: "nginx:1.25"   # pinned
  ports: [80, 443]
  on: yes
derived:
  <<: *base
  replicas: 0755
  script: |
    #!/bin/sh
    echo "hi: there"

      indented
  empty:
other:
  - <<: [*base, {a: 1}]
    image: other
`, `apiVersion: v1
items:
- apiVersion: v1
  kind: ConfigMap
  data:
    key: 'it''s'
    "quoted key": "tab\there"
    long: some text that
      goes on for
      several lines
- {apiVersion: v1, kind: Secret, data: {p: c2VjcmV0}}
kind: List
metadata: {resourceVersion: ""}
`, "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n\t\"spec\": {\"containers\": [{\"name\": \"c\", \"image\": \"i\"}]}}\n",
	"---\r\na: 1\r\nb:\r\n  - x\r\n  - y: |\r\n      text\r\n      more\r\n...\r\n",
}

// textPieces make long and broken text.
var textPieces = []string{
	"word ", "longerword ", "a", " ", "  ", "\n", "\n\n", "\n  ", "é", "日本 ", "\t", ": ", " #", "\"", "'", "\\", "supercalifragilisticexpialidocious", "- ", "\u2028", "\u0085", "\x7f", "\x1b", "\ufeff",
	"😀", "\r", "\r\n", "\u00a0", "end\n", "{", "]", "%", "@", "&", "*", "!", "|", ">", "?", ",",
}

// numbers are spellings of JSON numbers.
var numbers = []string{
	"0", "1", "-1", "0.0", "1.0", "1.50", "1e3", "1E3", "1e-3", "1e+3", "100000", "1000000", "1e6", "1e20", "1e21", "1e22", "123456789", "0.1", "0.00001", "0.000001", "1e-7", "123456.789",
	"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "1e-400", "5e-324",
	"123456789012345678901234567890", "1.7976931348623157e308", "3.141592653589793", "2.5e-8",
}
