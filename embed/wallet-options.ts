/** The options, callbacks and methods of a wallet on the page of an app. */
import type { WidgetEvent } from './widget-event.ts'

export type { WidgetEvent }

/** The response of `POST /api/widget/session`. */
export interface WalletSession {
  sessionToken: string
  /** ISO 8601. */
  expiresAt: string
}

/** Your user has no wallet yet: the widget shows its login. */
export interface WalletChallenge {
  /**
   * From `createVerifier` of @coffer/sdk. Your backend keeps the verifier in the user's session and sends it with the
   * link code, so that a link code of somebody else does not work.
   */
  challenge: string
}

export interface WalletLink {
  /** One-time proof; your backend exchanges it at `POST /api/server/link/exchange` and stores the id from the response. */
  linkCode: string
  /** Confidential. Do not store this value: store the serviceUserId from the response of the exchange. */
  serviceUserId: string
}

/** A message of the widget, before its default action. */
export type WalletEvent = WidgetEvent & {
  /** Stops the default action. */
  preventDefault: () => void
  readonly defaultPrevented: boolean
}

/** The step in which an error occurred. */
export type WalletStep =
  'fetchSession' | 'saveLink' | 'clearLink' | 'onEvent' | 'checkState' | 'loadFrame' | 'renewal'

/** The texts on your page, outside the hosted wallet. */
export interface WalletTexts {
  /** The frame's name for screen readers. */
  frameTitle: string
  openFailed: string
  linkFailed: string
  switchFailed: string
  retry: string
  topupFailed: string
  topupBlocked: string
  openTopup: string
  /** Shown in the top-up window until its page loads. */
  topupLoading: string
}

export interface WalletOptions {
  /** Address of the service. */
  serviceUrl: string
  /** Public id of the client app. */
  clientId: string
  /** Requests a widget session from your own backend. It returns a challenge if the user is not linked. */
  fetchSession: () => Promise<WalletSession | WalletChallenge>
  /** Sends the code to your own backend, which exchanges it and stores the id. */
  saveLink: (link: WalletLink) => Promise<unknown>
  /** Tells your own backend to remove the stored id, and returns a challenge for the next login. */
  clearLink: () => Promise<WalletChallenge>
  /** Called with every event before its default action. */
  onEvent?: ((event: WalletEvent) => void | Promise<void>) | undefined
  /** Called with every error, for your monitoring. If the user has to act, the wallet shows a message. Default: `reportError`. */
  onError?: ((error: unknown, during: WalletStep) => void | Promise<void>) | undefined
  /** Any CSS length. Default: as high as the content, and at least 320px. */
  height?: string | undefined
  texts?: Partial<WalletTexts> | undefined
  /** The language of the wallet. Default: that of the browser. */
  locale?: 'en' | 'de' | 'es' | undefined
  /** The colors of the wallet. Default: 'auto', as in the system. */
  theme?: 'light' | 'dark' | 'auto' | undefined
}

export interface TopupOptions {
  /** What the user needs, as decimal text: '39.00'. The user can change it. */
  amount?: string | undefined
}

export interface MountedWallet {
  /** Calls fetchSession again and reloads the wallet. */
  reload(): void
  /** Opens the top-up window. Call it in a click handler, or the browser blocks it. */
  openTopup(options?: TopupOptions): void
  /** Removes the wallet with every listener and timer. */
  destroy(): void
}
