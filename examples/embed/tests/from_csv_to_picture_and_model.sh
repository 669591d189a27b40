# From a CSV file to coordinates, a picture and a model in one call; the model places new rows.
. "$(dirname "$0")/support/check"
head -n 300 "$data/digits.csv" > old.csv
tail -n 100 "$data/digits.csv" > new.csv

expect 0 embed old.csv --label-column -1 --method isomap --neighbors 12 \
  --out y.csv --plot y.svg --save digits.model --report
says "trustworthiness"
says "certified"
[ "$(wc -l < y.csv)" -eq 300 ] || fail "y.csv should have 300 lines"
[ "$(cut -d , -f 3 y.csv | head -n 3 | tr '\n' ' ')" = "0 1 2 " ] || fail "labels are not kept"
grep -q '</svg>' y.svg || fail "y.svg is no picture"

expect 0 embed --apply digits.model new.csv --label-column -1 --out z.csv --plot z.html
[ "$(wc -l < z.csv)" -eq 100 ] || fail "z.csv should have 100 lines"
grep -q '</html>' z.html || fail "z.html is no page"

# The same bytes again, through standard input and output.
embed --apply digits.model - --label-column -1 < new.csv > again.csv
cmp z.csv again.csv || fail "a model should give the same numbers every time"
