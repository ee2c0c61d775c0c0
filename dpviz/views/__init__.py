"""What a page is asked to show, and how it is said: no Streamlit here."""
