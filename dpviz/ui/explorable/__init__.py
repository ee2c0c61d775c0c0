"""Pages as files: one HTML with everything computed in it, which needs no server and no network."""
