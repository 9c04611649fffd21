package measure

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Impossible removes figures that no measurement can have, such as a share of nothing, and names them with their values. The API server would reject
// them, and with them the measurement.
func Impossible(result *v1beta1.Result) []string {
	var names []string
	remove(reflect.ValueOf(result).Elem(), "", &names)
	return names
}

// growth begins the names of fields that may be negative.
const growth = "queueGrowth"

func remove(value reflect.Value, path string, names *[]string) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			remove(value.Elem(), path, names)
		}
	case reflect.Slice:
		for i := range value.Len() {
			remove(value.Index(i), fmt.Sprintf("%s[%d]", path, i), names)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			field := value.Type().Field(i)
			tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if tag == "" || !field.IsExported() {
				continue
			}
			figure, is := value.Field(i).Interface().(v1beta1.Decimal)
			if !is {
				remove(value.Field(i), strings.TrimPrefix(path+"."+tag, "."), names)
				continue
			}
			if figure == "" || possible(figure, strings.HasPrefix(tag, growth)) {
				continue
			}
			*names = append(*names, fmt.Sprintf("%s=%s", strings.TrimPrefix(path+"."+tag, "."), figure))
			if figure = Rate(0); options == "omitempty" {
				figure = ""
			}
			value.Field(i).SetString(string(figure))
		}
	}
}

func possible(figure v1beta1.Decimal, signed bool) bool {
	number, err := strconv.ParseFloat(string(figure), 64)
	return err == nil && !math.IsNaN(number) && !math.IsInf(number, 0) && (signed || number >= 0)
}
