package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// The folders of the image; besides dataFolder, workFolder is the only one that a node may write to.
const (
	home       = "/opt/cassandra"
	templates  = "/etc/ringside"
	dataFolder = "/var/lib/cassandra"
	workFolder = "/tmp"
	yamlFile   = workFolder + "/cassandra.yaml"
	mainClass  = "org.apache.cassandra.service.CassandraDaemon"
)

// jvmArguments returns the arguments of the JVM: the chart's options, then those that depend on the layout of the image. Empty lines and
// lines that begin with # are left out.
func jvmArguments(options, jamm string) []string {
	var arguments []string
	for line := range strings.Lines(options) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			arguments = append(arguments, line)
		}
	}
	return append(arguments,
		"-javaagent:"+jamm, // measures memtables
		"-XX:CompileCommandFile="+home+"/conf/hotspot_compiler",
		"-Dcassandra.config=file://"+yamlFile,
		"-Dcassandra.storagedir="+dataFolder,
		"-Dcassandra-foreground=yes",
		"-Dlogback.configurationFile=file://"+home+"/conf/logback.xml",
		"-Djava.io.tmpdir="+workFolder,
		"-Djna.tmpdir="+workFolder,
		"-cp", home+"/conf:"+home+"/lib/*",
		mainClass,
	)
}

// mallocEnvironment returns the variables and arguments that the scripts of the Cassandra distribution set for a JVM: jemalloc for memory
// outside the heap if the image has it, and few malloc arenas.
func mallocEnvironment(libraries string) (environment, arguments []string) {
	environment = []string{"MALLOC_ARENA_MAX=4"}
	found, err := filepath.Glob(filepath.Join(libraries, "*", "libjemalloc.so*"))
	if err != nil || len(found) == 0 {
		return environment, nil
	}
	return append(environment, "LD_PRELOAD="+found[0]), []string{"-Dcassandra.libjemalloc=" + found[0]}
}

// agent returns the jar of a Java agent in the image, in any version.
func agent(name string) (string, error) {
	jars, err := filepath.Glob(home + "/lib/" + name + "-*.jar")
	if err != nil || len(jars) != 1 {
		return "", fmt.Errorf("the image should hold one %s/lib/%s-*.jar, it holds %d", home, name, len(jars))
	}
	return jars[0], nil
}
