# Ctrl-C ends a descent, which keeps the map that it has reached.
. "$(dirname "$0")/support/check"
head -n 200 "$data/digits.csv" > digits.csv
command -v timeout > /dev/null || exit 0
# In the foreground: otherwise the whole group gets the signal beside the program, and a second
# Ctrl-C ends it at once.
expect 130 timeout --foreground --preserve-status -s INT 4 "$program" digits.csv --label-column -1 \
  --method tsne --max-iter 1000000000 --out y.csv --plot y.svg --save m.model
says "interrupted; the map after [1-9][0-9]* iterations was kept"
[ "$(wc -l < y.csv)" -eq 200 ] || fail "the map was not written"
grep -q '</svg>' y.svg || fail "the picture was not written"
expect 0 embed digits.csv --label-column -1 --apply m.model --out z.csv
