"""What this machine gives: cores, files in the cache folder, a browser for PDFs."""
