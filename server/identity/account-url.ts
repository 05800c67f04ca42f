import type { Config } from '../config.ts'

/**
 * For links in emails. Never from a request: its sender chooses the Host header, and the link would lead to their own
 * site.
 */
export function accountUrl({ publicOrigin, host, port }: Config): string {
  return `${publicOrigin ?? `http://${host}:${port}`}/account`
}
