"""The only package that imports streamlit: controls, cards, sentences, downloads and long work for
the pages.
"""
