import type { Config } from '../config.ts'

/**
 * For links in emails. Never from a request: its sender chooses the Host header, and the link would lead to their own
 * site.
 */
export function accountUrl({ accountOrigin, host, port }: Config): string {
  return `${accountOrigin ?? `http://${host}:${port}`}/account`
}
