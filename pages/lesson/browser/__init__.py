"""What of a lesson runs in the browser: its engine, the components that use it, their messages."""
