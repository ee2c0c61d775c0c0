#!/usr/bin/env bash
# Write the files of a Hugging Face Docker Space into a folder: deploy/make_space.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:?"Usage: deploy/make_space.sh FOLDER"}
mkdir -p "$folder"
git archive HEAD -- Dockerfile .dockerignore .streamlit LICENSE app.py dpviz pages pyproject.toml requirements.txt |
  tar -x -C "$folder"
cp deploy/space_readme.md "$folder/README.md"
echo "Wrote $folder. Commit it to a Docker Space."
