/** The messages of the widget, as the contract has them; consumer/ proves that nothing differs. */

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
      /** What stood in the frame's address, echoed. */
      state?: string
    }
  | { version: 1; type: 'SERVICE_LOGOUT_REQUEST' }
  /** How high the content of the iframe is, in CSS pixels. */
  | { version: 1; type: 'SERVICE_RESIZED'; height: number }
