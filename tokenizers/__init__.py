"""Tokenizers written to be read; training and encoding yield every step they take.

Read `plain` first: all three algorithms in their plainest form. Then the packages, each of which
imports only those before it:

1. `text`: counted words from a text (`corpus`, `normalizers`, `pre_tokenizers`, `symbols`), and
   tokens with their ids and offsets (`encoding`, `alignment`). `protocols` is the interface of all
   tokenizers and of all recorded runs.
2. `merging`: splits, pairs, merges, and the choice of the next pair; `bpe` and `wordpiece` train
   with it. In both, `training` learns pieces and `encoding` applies them; `wordpiece` also has two
   longest-match algorithms (`matching`, `automaton`) and top-down training (`top_down`).
3. `lattice`: all segmentations of one string, listed and sampled. `unigram` trains on them:
   `settings` and `steps`, then `training`, which uses `seeds`, `batch`, `losses` and `final`.
   Leave its `sentencepiece_parity` for last: it reproduces one library's rounding.
4. `record`: traces, runs that can be stepped through. `measures`: the cost of a segmentation.
   `experiments`: the first merge that changes when a word count does (`corpus_edit`), operation
   counts (`operations`), and smallest counterexamples to common beliefs (`counterexamples`).
5. `runtime`: a tokenizer read from a file, ready to run. `formats`: the files, read and written.

Besides: `baselines` (words and characters as tokens), `settings` (validation), `errors`,
`progress` (progress and cancellation callbacks) and `limits` (for files from elsewhere).
"""
