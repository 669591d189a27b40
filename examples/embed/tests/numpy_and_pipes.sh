# .npy in and out, and nothing but coordinates in a pipe.
. "$(dirname "$0")/support/check"
head -n 150 "$data/digits.csv" > digits.csv
expect 0 embed digits.csv --label-column -1 -o pixels.npy --n-components 20
expect 0 embed pixels.npy --method lle -o y.npy
expect 0 embed y.npy -o y.csv
[ "$(wc -l < y.csv)" -eq 150 ] || fail "150 rows should come back"

# Standard error is no terminal: no progress bar, not a word.
expect 0 embed digits.csv --label-column -1 --method tsne --max-iter 60
[ ! -s err ] || fail "standard error should be empty"
[ "$(wc -l < out)" -eq 150 ] || fail "there should be 150 rows and nothing else"

# In a terminal there is one. (Where there can be one: a bare chroot has no terminals to give.)
script -qec true /dev/null > /dev/null 2>&1 || exit 0
script -qec "'$program' digits.csv --label-column -1 --method tsne --max-iter 60 -o y.csv" /dev/null > shown
grep -q 'descent \[####.* s left' shown || fail "no progress bar in a terminal"
