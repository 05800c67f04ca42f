/** All messages that the widget posts to the embedding page. The widget receives none. */

interface WidgetEventBase {
  version: 1
}

export type WidgetEvent =
  | (WidgetEventBase & { type: 'SERVICE_WALLET_UPDATED' })
  | (WidgetEventBase & { type: 'SERVICE_WALLET_LOADED' })
  | (WidgetEventBase & { type: 'SERVICE_OPEN_TOPUP' })
  | (WidgetEventBase & {
      type: 'SERVICE_AUTH_REQUIRED'
      reason: 'no_session' | 'session_expired'
    })
  | (WidgetEventBase & {
      type: 'SERVICE_AUTH_SUCCESS'
      serviceUserId: string
      /** One-time proof of the link; the client app's backend exchanges it. Absent if the widget got no challenge. */
      linkCode?: string
      /** The value that the embedding page passed in the address of the iframe. */
      state?: string
    })
  | (WidgetEventBase & { type: 'SERVICE_LOGOUT_REQUEST' })
  /** The height of the iframe's content, in CSS pixels. */
  | (WidgetEventBase & { type: 'SERVICE_RESIZED'; height: number })

export type WidgetEventType = WidgetEvent['type']

export const WIDGET_EVENT_TYPES = [
  'SERVICE_WALLET_UPDATED',
  'SERVICE_WALLET_LOADED',
  'SERVICE_OPEN_TOPUP',
  'SERVICE_AUTH_REQUIRED',
  'SERVICE_AUTH_SUCCESS',
  'SERVICE_LOGOUT_REQUEST',
  'SERVICE_RESIZED',
] as const satisfies readonly WidgetEventType[]
