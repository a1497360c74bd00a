"""The corpus picker and the user's own corpora, which are texts, tables or uploaded files."""
