# SPDX-License-Identifier: GPL-2.0-only
# gnuplot -e "data='FILE'; out='FILE.svg'; window=N" plot.gp: microseconds per connection, round by round, of the two builds.
set terminal svg size 800,450 background 'white'
set output out
set title sprintf('ib_cm: connect and disconnect, window %d', window)
set xlabel 'round'
set ylabel 'us per connection'
set yrange [0:*]
set key bottom
plot data using ($1 == window && strcol(3) eq 'with' ? $2 : NaN):4 with linespoints title 'with the holder assertion', \
     data using ($1 == window && strcol(3) eq 'without' ? $2 : NaN):4 with linespoints title 'without'
