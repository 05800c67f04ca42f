/** What an app gives to a wallet on its page, and what it gets back. */
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
  /** Confidential. A browser's word for it proves nothing: the exchange does. */
  serviceUserId: string
}

/** A message of the widget, before its default action. */
export type WalletEvent = WidgetEvent & {
  /** Stops the default action. */
  preventDefault: () => void
  readonly defaultPrevented: boolean
}

/** In which step an error arose. */
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
  /** In the top-up window until its page is there. */
  topupLoading: string
}

export interface WalletOptions {
  /** Address of the service. */
  serviceUrl: string
  /** Public id of the client app. */
  clientId: string
  /** Asks your own backend for a widget session; a challenge: this user is not linked. */
  fetchSession: () => Promise<WalletSession | WalletChallenge>
  /** Has your own backend exchange the code and store the id. */
  saveLink: (link: WalletLink) => Promise<unknown>
  /** Has your own backend remove the stored id, and returns a challenge for the next login. */
  clearLink: () => Promise<WalletChallenge>
  /** Hears every event before its default action. */
  onEvent?: ((event: WalletEvent) => void | Promise<void>) | undefined
  /** Called with every error; the user has already seen a message. Default: `reportError`. */
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
  /** Asks fetchSession again and shows the wallet anew. */
  reload(): void
  /** Opens the top-up window. Call it in a click handler, or the browser blocks it. */
  openTopup(options?: TopupOptions): void
  /** Removes the wallet with every listener and timer. */
  destroy(): void
}
