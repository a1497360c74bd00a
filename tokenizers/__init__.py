"""Tokenizers written to be read; training and encoding yield every step they take.

Read `plain` first: it has all three algorithms in their plainest form. Then read the packages, each
of which imports only packages before it:

1. `text` counts a text's words (`corpus`, `normalizers`, `pre_tokenizers`, `symbols`) and gives
   tokens their ids and offsets (`encoding`, `alignment`). `protocols` defines the interfaces of
   all tokenizers and of all recorded runs.
2. `merging` merges pairs of symbols in words and chooses the next pair; `bpe` and `wordpiece` train
   with it. In both, `training` learns pieces and `encoding` applies them; `wordpiece` also has two
   longest-match algorithms (`matching`, `automaton`) and top-down training (`top_down`).
3. `lattice` lists and samples all segmentations of one string, and `unigram` trains on them. Read
   its `settings` and `steps`, then `training`, which uses `seeds`, `batch`, `losses` and `final`.
   Leave its `sentencepiece_parity` for last: it reproduces one library's rounding.
4. `record` records traces: runs that can be stepped through. `measures` computes a segmentation's
   cost. `experiments` finds the first merge that changes when a word count does (`corpus_edit`),
   counts operations (`operations`), and finds smallest counterexamples (`counterexamples`).
5. `runtime` runs a tokenizer read from a file; `formats` reads and writes the files.

The other modules are `baselines` (words and characters as tokens), `settings` (validation),
`errors`, `progress` (progress and cancellation callbacks) and `limits` (for untrusted files).
"""
