module ringside.dev/ringside

go 1.26
