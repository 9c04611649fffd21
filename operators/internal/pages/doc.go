// Package pages verifies the pages of this repository: their links, their size, and the commands and files that they name.
package pages
