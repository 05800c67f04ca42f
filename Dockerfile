# Two images: `service` for production, which is built by default, and `demo` for compose.yaml. Base images are pinned by
# digest, so that a new one is a change that somebody reviews. This one is Node 24.18 on Debian 12.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packages
WORKDIR /coffer
# The lists of packages without the sources: a change of the sources does not install the packages again.
COPY package.json package-lock.json ./
COPY contract/package.json ./contract/
COPY server/package.json ./server/
COPY web/package.json ./web/
COPY sandbox/package.json ./sandbox/
COPY sdk/package.json ./sdk/
COPY embed/package.json ./embed/
COPY example/package.json ./example/
COPY site/package.json ./site/
COPY e2e/package.json ./e2e/

FROM packages AS build
RUN npm ci --no-audit --no-fund --loglevel=error
COPY . .
RUN npm run build

FROM packages AS production
RUN npm ci --omit=dev --workspace=server --no-audit --no-fund --loglevel=error

# The service writes only its compile cache: run it with a read-only root file system and /tmp in memory.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS runtime
WORKDIR /coffer
ENV HOST=0.0.0.0 PORT=8080 NODE_COMPILE_CACHE=/tmp/compile-cache
COPY --from=build /coffer/package.json ./
COPY --from=production /coffer/node_modules ./node_modules
COPY --from=build /coffer/contract ./contract
COPY --from=build /coffer/server ./server
COPY --from=build /coffer/web/dist ./web/dist
COPY --from=build /coffer/site/dist ./site/dist
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The service stops within 27 s of SIGTERM. Give it 30 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "server/coffer.ts"]
CMD ["serve"]

# Adds a card processor that moves no money, and a shop with a folder for its data.
FROM runtime AS demo
COPY --from=build /coffer/sandbox ./sandbox
COPY --from=build /coffer/example ./example
COPY --from=build /coffer/sdk ./node_modules/@coffer/sdk
COPY --from=build /coffer/embed ./node_modules/@coffer/embed
USER root
RUN install -d -o node -g node /shop
USER node

FROM runtime AS service
