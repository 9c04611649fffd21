{{- /* What Cassandra needs of Java 11 and 17: internals that are closed by default, and properties of Netty (jvm*-server.options). */ -}}
{{- define "cassandra-cql.modules" -}}
- -Djdk.attach.allowAttachSelf=true
- --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED
- --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED
- --add-exports=java.base/sun.nio.ch=ALL-UNNAMED
- --add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED
- --add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED
- --add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED
- --add-exports=java.sql/java.sql=ALL-UNNAMED
- --add-exports=java.base/java.lang.ref=ALL-UNNAMED
- --add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED
- --add-opens=java.base/java.lang.module=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.loader=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.ref=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.math=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.module=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.util.jar=ALL-UNNAMED
- --add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED
- --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
- --add-opens=java.base/java.io=ALL-UNNAMED
- --add-opens=java.base/java.lang.reflect=ALL-UNNAMED
- --add-opens=java.base/java.lang=ALL-UNNAMED
- --add-opens=java.base/java.util=ALL-UNNAMED
- --add-opens=java.base/java.nio=ALL-UNNAMED
- -Dio.netty.tryReflectionSetAccessible=true
- -Dio.netty.allocator.useCacheForAllThreads=true
- -Dio.netty.allocator.maxOrder=11
{{- end }}

{{- define "cassandra-cql.classPath" -}}
/opt/ringside:/opt/ringside/ringside-cassandra-cql.jar:{{ include "cassandra-cql.home" . }}/lib/*
{{- end }}
