"""Questions asked of the algorithms: one count changed, work counted, beliefs tested."""
