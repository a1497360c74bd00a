"""A path of one's own: lessons and stops in an order that its address holds."""
