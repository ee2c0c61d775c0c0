# dpviz for the CPU. Build: docker build -t dpviz .    Run: docker run --rm -p 8501:8501 dpviz
# Without further options it is a public demo (docs/hosting.md).

FROM python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_NO_COMPILE=1
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH
COPY requirements.txt /src/
# PyTorch for the CPU comes from its own index; PyPI's has 3 GB of CUDA libraries.
RUN pip install --extra-index-url https://download.pytorch.org/whl/cpu torch==2.13.0+cpu \
    && pip install -r /src/requirements.txt
COPY . /src
RUN pip install --no-deps /src \
    && find /opt/venv -depth -type d -path '*/site-packages/*/tests' -exec rm -rf {} +

FROM python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d

# user 1000, as Hugging Face Spaces run a container
RUN useradd --create-home --uid 1000 user
COPY --from=build /opt/venv /opt/venv
USER user
WORKDIR /home/user
ENV HOME=/home/user PATH=/opt/venv/bin:$PATH DPVIZ_CACHE=/home/user/cache OMP_NUM_THREADS=2 \
    PYTHONPYCACHEPREFIX=/home/user/.pycache
# Features and results of all pages as they open, so that no visitor waits for them, and the compiled
# modules that these pages import.
RUN python -m dpviz.ui.server.warmup --all

ENV DPVIZ_PUBLIC=1 PORT=8501
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/_stcore/health', timeout=4)"]
# The shell fills in the variables and becomes the server. A Space names its own host in SPACE_HOST.
CMD ["sh", "-c", "exec dpviz app --address 0.0.0.0 --port \"$PORT\" --frame-ancestors \"${FRAME_ANCESTORS:-self}\" --allowed-hosts ${ALLOWED_HOSTS:-${SPACE_HOST:-localhost}}"]
