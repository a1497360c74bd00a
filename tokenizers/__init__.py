"""Tokenizers written to be read, each of which records every step that it takes.

Read them in this order: `corpus` (text to counted words), `symbols` (what a word is made of),
`merging` (pairs, merges and what they change), `choosing` (what is merged next), `bpe` and
`bpe_encoding`, `wordpiece` and `wordpiece_encoding` with `matching` and `automaton` (the longest
match, in two ways), `top_down` (WordPiece the other way round), `history` and `trace` (the record
of a run), `encoding` (tokens, ids, offsets), `rulers` (what a token cuts through), `baselines`
(words and characters), `metrics` (what a segmentation costs), with `agreement`, `coverage` and
`stability` beside it, `surgery` (which merge changes when one count does).

Then Unigram: `lattice` (all segmentations of one string), `n_best` and `sampling` (listing and
drawing them), `unigram` (encoding), `unigram_training` (EM and pruning: its settings, steps, seeds,
losses and end are modules beside it), `lattices` (the lattices of all words at once). Last:
`operations` (how much work it all is) and `counterexamples` (the smallest corpus on which a belief
fails).
"""
