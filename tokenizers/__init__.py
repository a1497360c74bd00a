"""Tokenizers written to be read, each of which records every step that it takes.

Read `plain` first: all three algorithms in their plainest form. Then the chapters, each of which
uses only those before it:

1. `text`: how a text becomes counted words (`corpus`, `normalizers`, `pre_tokenizers`, `symbols`),
   and tokens with their ids and places in the text (`encoding`, `alignment`). `faces` is what all
   tokenizers and all recorded runs have in common.
2. `merging`: splits, pairs and merges, and which pair is next; `bpe` and `wordpiece` train by it.
   In both, `training` learns pieces and `encoding` cuts a text into them; `wordpiece` also has the
   longest match in two ways (`matching`, `automaton`) and training from the top down (`top_down`).
3. `lattice`: all segmentations of one string, listed and drawn. `unigram` trains on them:
   `settings` and `steps`, then `training`, which uses `seeds`, `batch`, `losses` and `final`.
   Leave its `sentencepiece` for last: there one library's rounding is imitated.
4. `record`: a run that can be stepped through. `measures`: what a segmentation costs.
   `experiments`: which merge changes when one count does (`surgery`), how much work it all is
   (`operations`), and the smallest corpus on which a belief fails (`counterexamples`).
5. `loaded`: a tokenizer read from a file, ready to run. `formats`: the files, read and written.

Beside the chapters: `baselines` (words and characters as tokens), `settings` and `refusal` (how bad
settings are refused).
"""
