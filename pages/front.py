"""The front page: what privacy costs, in pictures."""

import streamlit as st

st.title("Can a machine learn from your picture without giving it away?")
st.markdown("[Learn how →](./lessons) [Explore every setting →](./trade-off)")
