"""One library's rounding and text rules, imitated exactly: a learner never needs to open it."""
