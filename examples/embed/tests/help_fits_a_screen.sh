# --help has 80 columns and 40 lines at most, and every option is in it.
. "$(dirname "$0")/support/check"
expect 0 embed --help
[ "$(wc -l < out)" -le 40 ] || fail "more than 40 lines"
awk 'length > 80 { exit 1 }' out || fail "more than 80 columns"
for method in pca classical-mds isomap lle laplacian-eigenmap diffusion-map tsne; do
  says "^  $method "
  # A method that lacks an option names all that it has.
  has=$(embed out --method $method --alpha 1 2>&1 | sed -n 's/.*it has//p')
  [ -n "$has" ] || has=$(embed out --method $method --whiten 2>&1 | sed -n 's/.*it has//p')
  [ -n "$has" ] || fail "$method does not name its options"
  for option in $has; do
    grep -qwe "${option#--}" out || fail "$option is not in the help"
  done
done
