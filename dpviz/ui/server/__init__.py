"""The HTTP server of the dashboard: application, middleware, startup."""
