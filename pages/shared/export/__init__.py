"""What somebody takes along from a page: a file that steps by itself, the data, links."""
