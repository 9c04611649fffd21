// Command embedded prints the files of the chart of the operator as a command embeds them.
package main

import (
	"fmt"
	"os"

	"ringside.dev/ringside/charts"
)

func main() {
	for _, name := range []string{"ringside/Chart.yaml", "ringside/values.yaml"} {
		text, err := charts.Files.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s\n", text)
	}
}
