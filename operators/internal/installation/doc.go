// Package installation installs and upgrades Ringside's own charts, the operator and its monitoring, with Helm. An upgrade
// changes only values that Ringside set itself; what users set by Helm or by values files stays.
// Where nodes or users do not reach the network, it pulls images into archives and forwards ports.
package installation
