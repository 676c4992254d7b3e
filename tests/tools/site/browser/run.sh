#!/bin/sh
# Makes the site, and tests it in a browser: run.sh FOLDER TORCHBOOK HOSTILE_SITE. Packages of npm are installed into FOLDER.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
folder=$1 torchbook=$2 hostile_site=$3

. "$here/install.sh"

rm -rf pages alone asked infinite mistaken hostile traced watched
mkdir hostile
"$torchbook" site --output pages
"$torchbook" site --no-python --output alone attention_as_alignment
"$torchbook" site --no-python --reload 1 --output watched attention_as_alignment
"$torchbook" site --no-python --questions "$here/../../../../examples/alignment.questions" --output asked alignment
cat >questions <<'END'
questions on attention_as_alignment
ask: Make a score infinite.
change: inputs
check: attn_scores of In [13][0, 1] == inf
hint: What is a number times infinity?
answer: inputs[0, 0] = inf
END
"$torchbook" site --no-python --questions questions --output infinite alignment
cat >questions <<'END'
questions on attention_as_alignment
ask: Ask for more than the answer has.
change: inputs
check: inputs[0, 0] > 1
hint: None.
answer: inputs[0, 0] = 0.50
ask: Ask for what is there.
change: inputs
check: inputs[0, 0] > 0
hint: None.
answer: inputs[0, 0] = 2
END
"$torchbook" site --no-python --questions questions --output mistaken alignment
"$hostile_site" hostile

# This Python gives the twin another seed.
cat >python <<'END'
#!/bin/sh
sed 's/manual_seed(42)/manual_seed(43)/' | exec /usr/bin/python3 "$@"
END
chmod 755 python
"$torchbook" site --trace --python ./python --output traced mathematical_trick || [ $? = 1 ]
PORTED=$here/../../../../notebooks_ported exec node all.mjs
