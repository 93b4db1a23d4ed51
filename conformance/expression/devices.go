package expression

// Object is JSON under construction.
type Object = map[string]any

// Device is a device with some of the shared names (in percent: one of the densities), each of one of two or three types, some
// of them odd.
func (s Source) Device(densities ...int) Object {
	device := Object{}
	driver := s.IntN(len(Domains))
	if s.Chance(2) {
		driver = -1
	} else {
		device["driver"] = Domains[driver]
	}
	if s.Chance(75) {
		device["attributes"] = s.named(driver, Pick(s, densities...), IDs, func(id string) any { return s.attribute(id) })
	}
	if s.Chance(65) {
		device["capacity"] = s.named(driver, Pick(s, densities...), Memory, func(string) any { return Object{"value": s.quantity()} })
	}
	if s.Chance(40) {
		device["allowMultipleAllocations"] = s.Chance(50)
	}
	return device
}

// named gives some of the ids in each domain a value; the driver's own domain may be left out of the name. Both spellings of
// one name are never given together: upstream then picks one at random.
func (s Source) named(driver, density int, ids []string, value func(id string) any) Object {
	out := Object{}
	for domain := range Domains {
		for _, id := range ids {
			switch {
			case !s.Chance(density):
			case domain == driver && s.Chance(70):
				out[id] = value(id)
			default:
				out[Domains[domain]+"/"+id] = value(id)
			}
		}
	}
	return out
}

func (s Source) attribute(id string) Object {
	if s.Chance(1) && s.Chance(30) {
		return Pick(s, Object{}, Object{"version": "1.x"}, Object{"version": "99999999999999999999.0.0"}, Object{"versions": []string{"1.0.0", "bad"}},
			Object{"int": 1, "string": "a"}, Object{"ints": []int{1}, "int": 2}, Object{"bool": true, "version": "1.0.0"})
	}
	switch id {
	case "model":
		return s.oneOf("string", "string", "version", "strings")
	case "ver":
		return s.oneOf("version", "version", "string", "versions")
	case "n", "numa":
		return s.oneOf("int", "int", "string", "ints")
	case "ok":
		return s.oneOf("bool", "bool", "int", "bools")
	case "uuid", "empty":
		return s.oneOf("string", "string", "bool")
	case "tags":
		return s.oneOf("strings", "strings", "string")
	case "sizes":
		return s.oneOf("ints", "ints", "int")
	case "vers":
		return s.oneOf("versions", "versions", "version")
	case "flags":
		return s.oneOf("bools", "bools", "bool")
	}
	return s.oneOf("string", "int", "bool", "version", "strings", "ints", "bools", "versions")
}

func (s Source) oneOf(types ...string) Object {
	t := Pick(s, types...)
	switch t {
	case "strings", "ints", "bools", "versions":
		values := []any{}
		for range s.IntN(4) {
			values = append(values, s.value(t[:len(t)-1]))
		}
		return Object{t: values}
	}
	return Object{t: s.value(t)}
}

func (s Source) value(t string) any {
	switch t {
	case "int":
		return Pick[int64](s, 0, 1, 2, 7, 42, -1, 100, 9223372036854775807, -9223372036854775808)
	case "bool":
		return s.Chance(50)
	case "version":
		return Pick(s, "1.0.0", "1.2.3", "2.0.0", "0.0.1", "1.2.3-alpha.1", "1.2.3+build", "10.20.30", "9223372036854775808.0.0")
	}
	return Pick(s, "", "a", "A100", "H100-SXM", "gpu", "b", "x-y_z", "é", "日本語", "1", "1.2.3", "80Gi", "10.0.0.1", "a,b,c", "the quick brown fox jumps over the lazy dog, and so on.")
}

// quantity is one of the spelling classes: plain, scaled, fractional, huge, negative, beyond 64 bits.
func (s Source) quantity() string {
	return Pick(s, "0", "1", "5", "80Gi", "40Gi", "80Gi", "1.5Gi", "1536Mi", "100Ti", "16Ti", "1Ei", "8Ei", "9Ei", "1E", "1000m", "1500m", "1.0", "0.5", "1n", "0.1n", "1e3", "1E3", "+5", "01", "007Ki", "-1", "-10Gi",
		"9223372036854775807", "9223372036854775808", "1234567890123456789012", "0.000000001", "100k", "3u", "12e-3", "5.")
}
