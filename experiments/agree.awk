# Compares the loads of a cross-check: phases <kind>-stress, <kind>-own, <kind>-latte, and <kind>-again, which repeats <kind>-own. Prints, for each
# server and kind, geometric means over the rounds of own and of latte divided by stress, and of again divided by own, and whether they are within
# the bounds of cassandra-cql-crosscheck.yaml. Ends with status 1 if one is not, or if there is nothing to compare.
#
#   build/bin/ringside table -o tsv --valid | awk -f experiments/agree.awk

BEGIN {
  FS = OFS = "\t"
  metrics = split("op_rate_mid80 latency_median_mid80_ms latency_p95_mid80_ms latency_p99_ms", metric, " ")
  # The highest ratio of each metric; the lowest is its reciprocal. 0: not bounded.
  split("1.25 0 0 0", closed, " ")
  split("1.01 1.25 1.25 1.5", constant, " ")
  lean = 1.5 # latte in a closed loop
  drift = 1.1
}

NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }

$column["warmup"] == "false" && match($column["phase"], /-(own|stress|latte|again)$/) {
  cell = $column["server"] OFS substr($column["phase"], 1, RSTART - 1)
  if (!(cell in rate)) cells[++n] = cell
  rate[cell] = $column["target_rate"]
  rounds[$column["round"]]
  for (m = 1; m <= metrics; m++) value[cell, substr($column["phase"], RSTART + 1), $column["round"], m] = $column[metric[m]]
}

END {
  print "server", "kind", "ratio", "rounds", "op_rate", "median", "p95", "p99", "agree"
  for (c = 1; c <= n; c++) {
    show(cells[c], "own", "stress")
    show(cells[c], "latte", "stress")
    show(cells[c], "again", "own")
  }
  exit !compared || differ
}

function show(cell, load, other,    r, m, pairs, sum, ratio, line, agree, most) {
  for (r in rounds) {
    if (!(value[cell, load, r, 1] && value[cell, other, r, 1])) continue
    pairs++
    for (m = 1; m <= metrics; m++) sum[m] += log(value[cell, load, r, m] / value[cell, other, r, m])
  }
  if (!pairs) return
  compared = agree = 1
  for (m = 1; m <= metrics; m++) {
    ratio = exp(sum[m] / pairs)
    line = line OFS sprintf("%.2f", ratio)
    most = rate[cell] > 0 ? constant[m] : closed[m]
    if (load == "latte" && most) most = lean
    if (other == "own" && most > drift) most = drift
    if (most && (ratio > most || ratio * most < 1)) agree = 0
  }
  if (!agree) differ = 1
  print cell, load "/" other, pairs line, agree ? "yes" : "no"
}
