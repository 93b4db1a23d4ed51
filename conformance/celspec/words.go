package celspec

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"time"

	"cel.dev/expr"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Values travel as JSON: null, true, {"int":"7"}, {"uint":"7"}, {"double":"3ff8000000000000"} (bits), {"string":"x"},
// {"bytes":"eA=="}, {"duration":"nanoseconds"}, {"timestamp":["seconds","nanoseconds"]}, {"type":"int"}, [elements],
// {"map":[[key,value],…]} sorted by the key's JSON, {"optional":[value]} or {"optional":[]}, {"other":"type"}.

// valueWords spells a value of upstream's.
func valueWords(value ref.Val) any {
	switch v := value.(type) {
	case types.Null:
		return nil
	case types.Bool:
		return bool(v)
	case types.Int:
		return map[string]string{"int": strconv.FormatInt(int64(v), 10)}
	case types.Uint:
		return map[string]string{"uint": strconv.FormatUint(uint64(v), 10)}
	case types.Double:
		return map[string]string{"double": doubleBits(float64(v))}
	case types.String:
		return map[string]string{"string": string(v)}
	case types.Bytes:
		return map[string]string{"bytes": base64.StdEncoding.EncodeToString(v)}
	case types.Duration:
		return map[string]string{"duration": strconv.FormatInt(int64(v.Duration), 10)}
	case types.Timestamp:
		return timestampWords(v.Time)
	case *types.Type:
		return map[string]string{"type": v.TypeName()}
	case *types.Optional:
		if !v.HasValue() {
			return map[string]any{"optional": []any{}}
		}
		return map[string]any{"optional": []any{valueWords(v.GetValue())}}
	case traits.Mapper:
		return mapWords(v)
	case traits.Lister:
		return listWords(v)
	}
	return map[string]string{"other": value.Type().TypeName()}
}

func doubleBits(value float64) string {
	if math.IsNaN(value) {
		return "nan"
	}
	return fmt.Sprintf("%016x", math.Float64bits(value))
}

func timestampWords(t time.Time) any {
	return map[string][]string{"timestamp": {strconv.FormatInt(t.Unix(), 10), strconv.Itoa(t.Nanosecond())}}
}

func listWords(list traits.Lister) any {
	words := []any{}
	for i := types.Int(0); i < list.Size().(types.Int); i++ {
		words = append(words, valueWords(list.Get(i)))
	}
	return words
}

func mapWords(mapping traits.Mapper) any {
	entries := [][]any{}
	for it := mapping.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		entries = append(entries, []any{valueWords(key), valueWords(mapping.Get(key))})
	}
	sort.Slice(entries, func(i, j int) bool { return jsonText(entries[i][0]) < jsonText(entries[j][0]) })
	return map[string]any{"map": entries}
}

func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// suiteValue reads a value of the suite.
func suiteValue(value *expr.Value) ref.Val {
	converted, err := cel.ProtoAsValue(types.DefaultTypeAdapter, value)
	if err != nil {
		panic(err)
	}
	return converted
}

// typeWords spells a type: "int", "list<int>", "map<string,dyn>", "optional_type<T>".
func typeWords(t *types.Type) string {
	text := t.TypeName()
	for i, parameter := range t.Parameters() {
		if i == 0 {
			text += "<"
		} else {
			text += ","
		}
		text += typeWords(parameter)
	}
	if len(t.Parameters()) > 0 {
		text += ">"
	}
	return text
}

// suiteType reads a type of the suite.
func suiteType(t *expr.Type) *types.Type {
	converted, err := types.ProtoAsType(t)
	if err != nil {
		panic(err)
	}
	return converted
}

// declaredType is a type as a declaration has it: type parameters are marked by a $.
func declaredType(t *types.Type) any {
	if t.Kind() == types.TypeParamKind {
		return "$" + t.TypeName()
	}
	if len(t.Parameters()) == 0 {
		return t.TypeName()
	}
	words := []any{t.TypeName()}
	for _, parameter := range t.Parameters() {
		words = append(words, declaredType(parameter))
	}
	return words
}
