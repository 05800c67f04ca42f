/** All limits that callers can reach. */

export const API_VERSION = '1.1.0'

export const REFERENCE_TYPE_MAX = 64
export const REFERENCE_ID_MAX = 255
export const DESCRIPTION_MAX = 500
export const SERVICE_USER_ID_MAX = 255
/** The keys and values that a client app stores with an operation. */
export const METADATA_KEYS_MAX = 10
export const METADATA_KEY_MAX = 40
export const METADATA_VALUE_MAX = 200
export const METADATA_MAX_BYTES = 2048
/** The length of the reason that an operator gives for an action. */
export const REASON_MIN = 3
export const REASON_MAX = 500

export const TRANSACTIONS_DEFAULT = 50
export const TRANSACTIONS_MAX = 100
/** Entries in the statement of a month. */
export const STATEMENT_ENTRIES_MAX = 5_000

/** What a new client app gets that repeats a reference with other values: 409 REFERENCE_MISMATCH. */
export const ON_MISMATCH_DEFAULT = 'conflict'

/** Events in one page of the feed, how long a request may wait for one, and how many requests of an app may wait. */
export const EVENTS_MAX = 100
export const EVENT_WAIT_SECONDS = 20
export const EVENT_WAITERS_MAX = 10
/** The minimum time for which events are kept. */
export const EVENT_DAYS = 30

/** How long a hold lasts unless it is captured or released before. */
export const HOLD_SECONDS_MIN = 60
export const HOLD_SECONDS_MAX = 30 * 24 * 60 * 60
export const HOLD_SECONDS_DEFAULT = 7 * 24 * 60 * 60

export const LINK_CODE_SECONDS = 120

export const SESSION_SECONDS = 5 * 60
/** How long an expired session is stored, so that the page can still identify its owner. */
export const SESSION_KEPT_HOURS = 24
export const WIDGET_TRANSACTIONS = 10

export const NAME_MAX = 80
export const EMAIL_MAX = 254
/** The length of the part before the @. */
export const EMAIL_LOCAL_MAX = 64
export const PASSWORD_MIN = 12
export const PASSWORD_MAX = 128
/** Codes sent by email and other short-lived steps. */
export const TICKET_MINUTES = 10
export const CODE_TRIES_MAX = 5
/** The link that resets a password. It cannot be guessed, so it may be valid for longer than a code. */
export const RESET_LINK_MINUTES = 60
/** The link that undoes a change of the email address: long enough for people who rarely read that mailbox. */
export const UNDO_LINK_DAYS = 7
/** The link "This wasn't me" in emails about an account. */
export const WARNING_LINK_DAYS = 7
/** Passkeys of one operator or of one person. */
export const PASSKEYS_MAX = 10
export const PASSKEY_CHALLENGE_MINUTES = 5
export const STATE_MAX = 512

export const BODY_MAX_BYTES = 16 * 1024
/** Operations in one batch of the server API, and the size of its body. */
export const BATCH_MAX = 100
export const BATCH_BODY_MAX_BYTES = 512 * 1024
export const HEADER_MAX_BYTES = 8 * 1024
/** The size of an event of the card processor. */
export const WEBHOOK_MAX_BYTES = 256 * 1024

export const ORIGINS_MAX = 50
/** Contacts of one client app. */
export const CONTACTS_MAX = 10
/** Restricted secrets of one client app with different names, and the networks of each. */
export const RESTRICTED_SECRETS_MAX = 10
export const RESTRICTION_NETWORKS_MAX = 20
/** How long the link to a new client secret works. */
export const SECRET_LINK_HOURS = 24
/** Webhooks of one client app. */
export const WEBHOOKS_MAX = 10
/** Deliveries of a webhook in one page. */
export const DELIVERIES_MAX = 50
/** How long the attempts of webhooks are kept. */
export const DELIVERY_DAYS = 14
/**
 * How many events one call resends. Must be larger than the number of events that can have the same time, because the
 * next call continues at a time.
 */
export const RESEND_MAX = 5_000
