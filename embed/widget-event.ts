/** The messages of the widget, as the contract has them; consumer/ checks that they are equal. */

export type WidgetEvent =
  | { version: 1; type: 'SERVICE_WALLET_UPDATED' }
  | { version: 1; type: 'SERVICE_WALLET_LOADED' }
  | { version: 1; type: 'SERVICE_OPEN_TOPUP' }
  | { version: 1; type: 'SERVICE_AUTH_REQUIRED'; reason: 'no_session' | 'session_expired' }
  | {
      version: 1
      type: 'SERVICE_AUTH_SUCCESS'
      serviceUserId: string
      /** One-time proof of the link; your backend exchanges it. Absent if the frame's address had no challenge. */
      linkCode?: string
      /** The parameter `state` of the frame's URL, returned unchanged. */
      state?: string
    }
  | { version: 1; type: 'SERVICE_LOGOUT_REQUEST' }
  /** The height of the iframe's content, in CSS pixels. */
  | { version: 1; type: 'SERVICE_RESIZED'; height: number }
