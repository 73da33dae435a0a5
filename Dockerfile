# docker build --build-arg COMMIT=$(git rev-parse HEAD) -t hedgerow .

# Builds the npm package from the sources, and installs it with the versions of the lockfile.
FROM node:24-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . ./
ARG COMMIT
RUN HEDGEROW_COMMIT=$COMMIT npm pack --silent
RUN tar -xzf hedgerow-*.tgz && cp package-lock.json .npmrc package
RUN cp -r "$(npm root --global)/npm" npm
WORKDIR /build/package
RUN npm ci --ignore-scripts --omit=dev

# The package brings the Node that it runs on. Debian has prlimit and setpriv, which confine import apps.
FROM debian:trixie-slim
WORKDIR /app
COPY --from=build /build/package ./
# installs import apps from npm
COPY --from=build /build/npm /usr/local/lib/npm
RUN ln -s /usr/local/lib/npm/bin/npm-cli.js /usr/local/bin/npm
RUN ln -s /app/bin/hedgerow.mjs /usr/local/bin/hedgerow
RUN install -d -m 0700 -o 10001 -g 10001 /data
ENV PATH=/app/node_modules/.bin:$PATH HEDGEROW_HOST=0.0.0.0 HEDGEROW_PORT=8000 HEDGEROW_DATA=/data HOME=/tmp MALLOC_ARENA_MAX=2
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEDGEROW_PORT}/_ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["hedgerow"]
CMD ["serve"]
