/**
 * Loaded into the service by `npm run bench -- --planted-sleep`: adds a millisecond of work per request. If the
 * benchmark does not show it, the benchmark is broken.
 */
import { subscribe } from 'node:diagnostics_channel'

const SLEEP_MS = 1

subscribe('http.server.request.start', () => {
  const until = performance.now() + SLEEP_MS
  while (performance.now() < until);
})
