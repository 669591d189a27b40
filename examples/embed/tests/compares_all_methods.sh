# --compare shows every method, and on a page if one is named; what a method lacks, others may use.
. "$(dirname "$0")/support/check"
head -n 200 "$data/digits.csv" > digits.csv
expect 0 embed digits.csv --label-column -1 --compare --plot maps.html --n-neighbors 15 --max-iter 100
for method in pca classical-mds isomap lle laplacian-eigenmap diffusion-map tsne; do
  says "^$method  *[0-9]"
done
says "label score"
[ "$(grep -c '<figure data-of="rows">' maps.html)" -eq 7 ] || fail "the page should have seven pictures"

# A method that fails is named, the others are shown.
expect 0 embed digits.csv --label-column -1 --compare --perplexity 1000 --max-iter 100
says "^tsne failed: TSNE: perplexity (1000)"
says "^isomap  *[0-9]"
expect 2 embed digits.csv --compare --out y.csv
says "leave out"
