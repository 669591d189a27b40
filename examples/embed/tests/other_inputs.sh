# MNIST's idx, labels from a file of their own, other separators, a map to start from.
. "$(dirname "$0")/support/check"
head -n 120 "$data/digits.csv" > digits.csv
expect 0 embed digits.csv --label-column -1 --out wanted.csv
cut -d , -f 1-64 digits.csv > pixels.csv
cut -d , -f 65 digits.csv > digits.labels

# The same rows, columns and labels give the same map, whatever the files look like.
tr , '\t' < digits.csv > digits.tsv
tr , ';' < digits.csv > semicolons.txt
tr , ' ' < digits.csv > blanks.txt
expect 0 embed digits.tsv --label-column -1 --out y.csv
cmp y.csv wanted.csv || fail "tabs should be seen"
expect 0 embed digits.tsv --separator tab --label-column -1 --out y.csv
cmp y.csv wanted.csv || fail "--separator tab"
expect 0 embed semicolons.txt --separator ';' --label-column -1 --out y.csv
cmp y.csv wanted.csv || fail "--separator ';'"
expect 0 embed blanks.txt --separator space --label-column -1 --out y.csv
cmp y.csv wanted.csv || fail "--separator space"
expect 1 embed semicolons.txt --separator , --label-column -1
expect 2 embed digits.csv --separator ab
says "one character, or tab or space"
expect 0 embed pixels.csv --labels digits.labels --out y.csv
cmp y.csv wanted.csv || fail "--labels from text"

# idx: two zeros, bytes (8), the number of dimensions, each as four bytes, the numbers.
bytes() { awk '{ for (i = 1; i <= NF; ++i) printf "\\%03o", $i }' FS="[ ,]"; }
{ printf '\0\0\010\003\0\0\0\170\0\0\0\010\0\0\0\010'; printf "$(bytes < pixels.csv)"; } \
  > images-idx3-ubyte
{ printf '\0\0\010\001\0\0\0\170'; printf "$(bytes < digits.labels)"; } > labels-idx1-ubyte
expect 0 embed images-idx3-ubyte --labels labels-idx1-ubyte --out y.csv
cmp y.csv wanted.csv || fail "idx should give the same map"
expect 0 embed images-idx3-ubyte --out plain.csv
[ "$(head -n 1 plain.csv | tr -cd , | wc -c)" -eq 1 ] || fail "no labels, no third column"
expect 2 embed images-idx3-ubyte --label-column -1
says "name a file with --labels"
head -c 1000 images-idx3-ubyte > cut-idx3-ubyte
expect 1 embed cut-idx3-ubyte
says "cut-idx3-ubyte"
head -n 119 digits.labels > fewer.labels
expect 1 embed pixels.csv --labels fewer.labels
says "119 labels for 120 rows"

# A map to start from decides where the descent ends.
expect 0 embed pixels.csv --out start.csv
expect 0 embed pixels.csv -m tsne --max-iter 60 --custom-init start.csv --out one.csv
expect 0 embed pixels.csv -m tsne --max-iter 60 --init random --seed 7 --out two.csv
expect 0 embed pixels.csv -m tsne --max-iter 60 --custom-init start.csv --out again.csv
cmp one.csv again.csv || fail "the same start should give the same map"
! cmp -s one.csv two.csv || fail "--custom-init was not used"
head -n 50 start.csv > short.csv
expect 1 embed pixels.csv -m tsne --custom-init short.csv
says "custom-init"
expect 2 embed pixels.csv --custom-init start.csv
says "pca has no --custom-init"
