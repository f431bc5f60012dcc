# Three stages: npm brings the browser files, pip builds the environment, and only the result is shipped.
# The image listens on every interface of its container, so `liyuan serve` demands LIYUAN_PASSWORD.

FROM node:20-bookworm-slim AS browser
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY requirements.lock ./
RUN python -m venv /opt/liyuan \
    && /opt/liyuan/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY --from=browser /src/node_modules node_modules
COPY pyproject.toml README.md LICENSE ./
COPY scripts scripts
COPY migrations migrations
COPY templates templates
COPY static static
COPY liyuan liyuan
RUN python scripts/vendor.py \
    && /opt/liyuan/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 liyuan \
    && useradd --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin liyuan \
    && install --directory --owner=liyuan --group=liyuan --mode=0700 /data
COPY --from=build /opt/liyuan /opt/liyuan
ENV PATH=/opt/liyuan/bin:$PATH \
    HOME=/data \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    LIYUAN_DATA_DIR=/data \
    LIYUAN_HOST=0.0.0.0 \
    LIYUAN_PORT=7620
WORKDIR /data
USER liyuan
VOLUME /data
EXPOSE 7620
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:7620/healthz', timeout=4)"]
CMD ["liyuan", "serve"]
