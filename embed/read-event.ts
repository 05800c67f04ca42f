import type { WidgetEvent } from './wallet-options.ts'

// Stryker disable BooleanLiteral: only the keys count.
const TYPES: Record<WidgetEvent['type'], true> = {
  SERVICE_WALLET_UPDATED: true,
  SERVICE_WALLET_LOADED: true,
  SERVICE_OPEN_TOPUP: true,
  SERVICE_AUTH_REQUIRED: true,
  SERVICE_AUTH_SUCCESS: true,
  SERVICE_LOGOUT_REQUEST: true,
  SERVICE_RESIZED: true,
}
// Stryker restore BooleanLiteral

/** Ignores messages whose type this version does not know. */
export function readEvent(data: unknown): WidgetEvent | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { type } = data as { type?: unknown }
  return typeof type === 'string' && Object.hasOwn(TYPES, type) ? (data as WidgetEvent) : undefined
}
