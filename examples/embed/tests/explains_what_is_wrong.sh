# A wrong call ends with 2 and a remedy, a file that cannot be read with 1 and the place in it.
. "$(dirname "$0")/support/check"
printf 'a,b,kind\n1,2,x\n3,4,y\n5,7,x\n2,oops,y\n' > bad.csv
grep -v oops bad.csv > good.csv

expect 2 embed
says "name a file to read"
expect 2 embed good.csv --neigbors 5
says "did you mean --neighbors?"
expect 2 embed good.csv --method isomap --perplexity 5
says "isomap has no --perplexity; it has .*--n-neighbors"
expect 2 embed good.csv --method isopam
says "one of pca, classical-mds, isomap"
expect 2 embed good.csv --method isomap --neighbors many
says "takes a whole number; got 'many'"
expect 2 embed good.csv --label-column kind --method isomap --neighbors 50
says "n-neighbors must be in"
expect 2 embed good.csv --label-column sort
says "no column is called 'sort'"
expect 2 embed good.csv --plot y.jpg
says "picture.svg"
expect 2 embed good.csv --plot
says "value missing"

expect 1 embed none.csv
says "cannot open 'none.csv'"
expect 1 embed bad.csv --label-column kind
says "'bad.csv'.*line 5, column 2: 'oops' is not a number"
expect 1 embed good.csv --apply bad.csv
says "not an unfurl model file"
printf '0,0\n0,1\n1,0\n1,1\n90,90\n90,91\n91,90\n91,91\n' > apart.csv
expect 1 embed apart.csv --method isomap --neighbors 2
says "set --on-disconnected to bridge"
expect 0 embed apart.csv --method isomap --neighbors 2 --on-disconnected largest-component -o y.csv
[ "$(grep -c nan y.csv)" -eq 4 ] || fail "rows that are not on the map should be nan"
