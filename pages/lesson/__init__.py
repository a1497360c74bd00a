"""The page Lessons, which shows a lesson's text next to live pictures."""
