"""What only the teacher may see: diagnostics that read private records without noise. Nothing here
is released.
"""
