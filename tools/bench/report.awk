# SPDX-License-Identifier: GPL-2.0-only
# report.awk: from lines SIDE ROUND WINDOW CYCLES NS..., microseconds per connection. With json=FILE also all of it as JSON, with data=FILE the
# points for the plot. For each load the lowest quarter of its batches counts, by its median: what a machine that is busy with
# other things adds is never negative. The ratio is made of the two loads of a round, which met the same machine.

function sort(a, n,    i, j, v) {
	for (i = 2; i <= n; i++) {
		v = a[i]
		for (j = i - 1; j > 0 && a[j] > v; j--)
			a[j + 1] = a[j]
		a[j + 1] = v
	}
}

# Of sorted a[1..n]
function at(a, n, share,    p, i) {
	p = 1 + (n - 1) * share
	i = int(p)
	return i < n ? a[i] + (p - i) * (a[i + 1] - a[i]) : a[n]
}

# Where the median lies that endlessly many rounds would have: 95 % of the time between these two of sorted a[1..n] (signs are binomial).
function low_bound(a, n,    i) {
	i = int(n / 2 - 0.98 * sqrt(n))
	return a[i < 1 ? 1 : i]
}

function high_bound(a, n,    i) {
	i = int(n / 2 + 0.98 * sqrt(n)) + 2
	return a[i > n ? n : i]
}

{
	side = $1; round = $2; window = $3
	n = NF - 4
	list = ""
	for (i = 1; i <= n; i++) {
		batch[i] = $(i + 4) / $4 / 1000
		list = list (i > 1 ? "," : "") sprintf("%.3f", batch[i])
	}
	sort(batch, n)
	low[window, round, side] = at(batch, n, 0.125)
	middle[window, round, side] = at(batch, n, 0.5)
	if (json)
		entries = entries (entries ? ",\n" : "") sprintf("  {\"build\": \"%s\", \"round\": %d, \"window\": %d, \"cycles\": %d, \"us_per_connection\": [%s]}", side, round, window, $4, list)
	if (data)
		printf "%d %d %s %.3f %.3f\n", window, round, side, low[window, round, side], middle[window, round, side] >data
	if (!(window in known)) {
		known[window] = 1
		order[++windows] = window
	}
	if (round > rounds)
		rounds = round
}

END {
	for (w = 1; w <= windows; w++) {
		window = order[w]
		n = 0
		for (r = 1; r <= rounds; r++) {
			if (!((window, r, "with") in low) || !((window, r, "without") in low))
				continue
			n++
			with[n] = low[window, r, "with"]
			without[n] = low[window, r, "without"]
			ratio[n] = with[n] / without[n]
		}
		sort(with, n)
		sort(without, n)
		sort(ratio, n)
		line = sprintf("window %d, %d rounds: with %.1f us (%.1f to %.1f), without %.1f us (%.1f to %.1f), ratio %.4f (95 %%: %.4f to %.4f; quartiles %.4f to %.4f), of the best %.4f", \
			window, n, at(with, n, 0.5), with[1], with[n], at(without, n, 0.5), without[1], without[n], \
			at(ratio, n, 0.5), low_bound(ratio, n), high_bound(ratio, n), at(ratio, n, 0.25), at(ratio, n, 0.75), with[1] / without[1])
		print line
		summary = summary (w > 1 ? ",\n" : "") sprintf("  {\"window\": %d, \"rounds\": %d, \"with_us\": %.3f, \"without_us\": %.3f, \"ratio\": %.5f, \"ratio_95_low\": %.5f, \"ratio_95_high\": %.5f, \"ratio_q1\": %.5f, \"ratio_q3\": %.5f, \"ratio_of_best\": %.5f}", \
			window, n, at(with, n, 0.5), at(without, n, 0.5), at(ratio, n, 0.5), low_bound(ratio, n), high_bound(ratio, n), at(ratio, n, 0.25), at(ratio, n, 0.75), with[1] / without[1])
	}
	if (json)
		printf "{\"what\": \"holder assertion\", \"summary\": [\n%s\n], \"loads\": [\n%s\n]}\n", summary, entries >json
}
