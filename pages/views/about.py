"""About: which conventions the numbers follow, how they are checked, and where they come from."""

import streamlit as st

from pages.widgets.heading import heading

heading("About", "what the numbers follow, and how they are checked")

st.markdown(
    """
#### How to use it

Every page is a film of one recorded run. ← and → step, Home and End jump to its ends, Space plays.
*Predict* hides the next step until you have chosen; every tied answer counts as right. Click a row
to read why it was, or was not, the one. The address in the browser is the state: copy it, and who
opens it stands at the same step of the same run. A text too long for an address stays in your
browser. The server keeps it only in its memory, while it works on it.

#### Conventions

| what | here | elsewhere |
| --- | --- | --- |
| which of several equally frequent pairs is merged | you choose | *first seen*: minbpe, tiktoken's educational trainer, the Hugging Face course; *smallest ids*: Hugging Face's trainer |
| the end-of-word mark | a symbol of its own, as in Sennrich et al. (2016) | Hugging Face's library glues it to the last character |
| a pair that overlaps itself, as in a a a | counted at every place (twice), joined from left to right (once) | the same in Hugging Face's library and minbpe |
| the longest piece | in symbols, the mark not counted | Hugging Face's `max_token_length` of n allows n − 1 |
| bytes | shown as the glyphs that GPT-2 gave them: Ġ is a space | tiktoken shows bytes |
| rank | counted from 0, in the order of training | the same everywhere |
| BPE-dropout | passed over once (the paper, Hugging Face) or for good (SentencePiece): you choose | |
| encoding | always by rank; a whole word in the vocabulary is not taken at once | tiktoken takes it at once |

#### How it is checked

The tests hold the results against the real libraries, run beside them: Hugging Face `tokenizers`
0.23.3 (training and encoding, merge lists and ids identical) and `tiktoken` 0.14.0 (its educational
trainer and its encoder), and against the rules of minbpe written out again in a few lines. Laws are
tried on thousands of random texts: nothing is lost, the counts equal a plain recount, a run can be
replayed and undone, text comes back from ids. The published examples that the corpora come from are
recounted figure by figure; where a source says otherwise, the count here is the right one.

#### Where it comes from

- R. Sennrich, B. Haddow, A. Birch: *Neural Machine Translation of Rare Words with Subword Units*, 2016.
- I. Provilkov, D. Emelianenko, E. Voita: *BPE-Dropout*, 2020.
- A. Radford et al.: *Language Models are Unsupervised Multitask Learners*, 2019 (byte-level BPE).
- T. Kudo, J. Richardson: *SentencePiece*, 2018 (the `▁`).

The prose and the passages in nineteen languages were written for this project.
"""
)
