"""Long work while it goes on, turns between pages, the price of looking."""
