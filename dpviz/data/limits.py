"""What is accepted from strangers at most. Readers refuse what is beyond before they unpack or
write anything; docs/reference/limits.md prints each, and a test holds the two together.
"""

UPLOAD_MEGABYTES = 200
"""Of one upload in the browser."""
ROWS = 2_000_000
"""Records of one array of features, and pictures of a set of one's own on this disk."""
DIMENSIONS = 8_192
"""Columns of features: methods hold d x d numbers, here 512 MiB."""
CLASSES = 1_000
"""Of features and of images: every record is scored for every class."""
NAME = 60
"""Characters of a class name, and of a person's."""
PERSONS = 100_000
"""Persons whom the records of one set are from."""
PEOPLE_BYTES = 32 * 2**20
"""Of the CSV file that tells whose pictures they are."""
NPZ_MEMBERS = 32
"""Arrays that an ``.npz`` lists."""
NPZ_HEADER = 1_024
"""Bytes before the numbers of an array; numpy writes 128."""
NPZ_BYTES = 2**30
"""All arrays of an ``.npz`` together, as stored and as held: features as float32, counts and labels
as int64. 1 GiB is 130,000 records of 2,048 numbers.
"""
NPZ_FREE = 64 * 2**20
"""Bytes up to which an ``.npz`` may unpack from any size."""
MEMBERS = 50_000
"""Members of an uploaded zip of pictures, and rows of an uploaded parquet file."""
UNPACKED = 2 * 2**30
"""Bytes of an upload's pictures together: of a zip's members as its directory says, of a parquet
file's rows each time that one names a picture.
"""
MEMBER_ENTRY = 640
"""Bytes that a zip's directory may take for each member that is allowed."""
PACKING_RATIO = 200
"""How many times its packed size an upload, or a member of a zip of pictures, may unpack to."""
PACKING_FREE = 2**20
"""Bytes up to which a member, or an upload of pictures, may unpack from any size."""
PICTURE_BYTES = 100 * 2**20
"""Of one picture's file."""
PICTURE_PIXELS = 50_000_000
"""Of one picture, checked in its header; 50 megapixels take 150 MB in memory."""
PARQUET_FOOTER = 16 * 2**20
"""Bytes of the description at a parquet file's end."""
PARQUET_GROUP = 2 * 2**30
"""Bytes that a row group may unpack to: its pictures are held in memory."""
VOTE_QUERIES = 100_000
VOTE_TEACHERS = 100_000
VOTE_CLASSES = 10_000
