# The image of Accord: one for web server, workers, schedule, compiler and migration, which differ by
# their command alone. `make image` builds it; give the digests of the two bases to pin them exactly.
ARG PYTHON_TAG=3.11-slim-bookworm
ARG PYTHON_DIGEST=
ARG NODE_TAG=22-bookworm-slim
ARG NODE_DIGEST=

# Script and style sheet of the pages.
FROM node:${NODE_TAG}${NODE_DIGEST:+@${NODE_DIGEST}} AS pages
WORKDIR /opt/accord
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY frontend/assets frontend/assets
RUN npm run build

# The locked packages and our own, compiled: the running container has nowhere to write.
FROM python:${PYTHON_TAG}${PYTHON_DIGEST:+@${PYTHON_DIGEST}} AS builder
WORKDIR /opt/accord
COPY requirements/server.txt requirements/server.txt
RUN python -m venv --without-pip venv \
    && python -m pip --python venv/bin/python install --no-cache-dir --disable-pip-version-check \
        --require-hashes --only-binary=:all: --requirement requirements/server.txt
COPY manage.py ./
COPY platform platform
COPY tenants tenants
COPY registry registry
COPY frontend frontend
COPY --from=pages /opt/accord/frontend/static/frontend/build frontend/static/frontend/build
RUN python -m compileall -q -j 0 venv platform tenants registry frontend \
    && rm -rf frontend/assets requirements

FROM python:${PYTHON_TAG}${PYTHON_DIGEST:+@${PYTHON_DIGEST}}
RUN python -m pip uninstall --yes --quiet --root-user-action=ignore setuptools wheel pip \
    && useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin accord \
    && install --directory --owner=10001 --group=10001 --mode=0700 /run/accord
WORKDIR /opt/accord
COPY --from=builder /opt/accord /opt/accord
ENV DJANGO_SETTINGS_MODULE=accord_server.settings \
    PATH=/opt/accord/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH=/opt/accord:/opt/accord/platform \
    PYTHONUNBUFFERED=1
USER 10001:10001
EXPOSE 8081
CMD ["granian", "--interface=wsgi", "--host=0.0.0.0", "--port=8081", "--workers=2", "--blocking-threads=8", \
     "--no-ws", "--respawn-failed-workers", "--log-config=/opt/accord/platform/accord_server/granian-logs.json", \
     "accord_server.wsgi:application"]
