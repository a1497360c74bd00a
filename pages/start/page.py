"""Start: a text, and how the tokenizers of the models that people know cut it."""

from pages.shared.controls import address, live, memory
from pages.shared.controls.heading import heading
from pages.start import own_panels, panels
from pages.start.ready import FIRST_TEXT, LABEL, PURPOSE, TITLE

heading(TITLE, PURPOSE)
own = memory.text_box(LABEL, FIRST_TEXT, height=68)
live.apply_while_typing()
panels.ready_texts(own.text)
if own.state == "asking":
    address.end_early()
if found := panels.rows_of(own.text):
    panels.costs(found.counted)
    panels.copies(found)
own_panels.train_your_own(own.text)
panels.doors()
