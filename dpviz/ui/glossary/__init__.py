"""The Glossary page."""
