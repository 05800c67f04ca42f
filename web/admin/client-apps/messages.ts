/** The part of messages.ts about client apps. */

export const appWords = {
  apps: {
    columns: {
      name: 'Name',
      state: 'State',
      scopes: 'Scopes',
      linkedUsers: 'Linked users',
      lastUsed: 'Last used',
      created: 'Created',
    },
    anyState: 'Any state',
    searchHint: 'Name or clientId',
    register: 'Register a client app',
    registerSubmit: 'Register',
    emptyTitle: 'No client apps yet',
    empty: 'Register the first one to get its clientId and secret.',
    nameHint: 'People see this name when they connect their wallet.',
  },
  scopes: {
    label: 'Scopes',
    short: { 'wallet:read': 'read', 'wallet:write': 'write' },
    'wallet:read': 'Read wallets, check balances and open the widget for linked users.',
    'wallet:write': 'Debit and credit the wallets of linked users.',
  },
  accent: {
    label: 'Accent color',
    picker: 'Choose the accent color',
    placeholder: 'Default',
    hint: 'The color of buttons in the widget. It is adjusted where text would be hard to read.',
    reset: 'Use the default',
    sample: 'Add money',
  },
  origins: {
    allowedOrigins: {
      title: 'Allowed origins',
      hint: 'Pages of the app that may open the top-up window.',
    },
    allowedIframeParents: {
      title: 'Allowed iframe parents',
      hint: 'Pages that may embed the widget and receive its messages.',
    },
    none: {
      allowedOrigins: 'None listed. Iframe parents can always open the top-up window.',
      allowedIframeParents: 'None listed, so no page can embed the widget.',
    },
    add: (title: string) => `Add to ${title.toLowerCase()}`,
    addShort: 'Add',
    addBetter: (origin: string) => `Add ${origin}`,
    remove: (origin: string) => `Remove ${origin}`,
    tooMany: (max: number) => `At most ${max} origins can be listed. Remove one first.`,
    wildcard: 'Wildcards are not allowed. List each origin.',
    notAUrl: 'This is not an origin yet. An origin looks like https://shop.example.',
    insecure: 'An origin must begin with https://. http:// is allowed for localhost only.',
    inexact: (origin: string) => `Write this origin exactly as ${origin}.`,
    badHost: 'This host name contains characters that are not allowed.',
    listed: 'This origin is already in the list.',
  },
  limit: {
    label: 'Credit limit',
    meaning:
      'The maximum by which credits of the app may exceed its debits. Further credits are refused.',
    limited: 'Up to an amount',
    limitedHint: 'A leaked secret cannot create more money than this. Recommended.',
    unlimited: 'Unlimited',
    unlimitedHint:
      'Credits have no limit. Only for apps that you run yourself. A second operator must always approve this.',
    forGood:
      'You can change the amount later. Only the command line switches between an amount and unlimited.',
    none: 'Unlimited',
    second:
      'The limit counts like a bonus. If your total of the last 24 hours exceeds the threshold, a second operator must approve it. Until then, the limit of the new app is 0.',
    secondRaise:
      'Raising the limit counts like a bonus: above the 24-hour threshold, a second operator must approve it. Lowering it takes effect immediately.',
    waitsNew:
      'The credit limit is waiting for a second operator. Until it is approved, the limit is 0 and the app cannot credit more than it has debited.',
    waitsRaise:
      'The new credit limit is waiting for a second operator. Until it is approved, the old limit applies. Your other changes are saved.',
    waiting: (limit: string, operator: string) =>
      `Waiting for a second operator: ${limit}, requested by ${operator}.`,
  },
  taken: {
    text: 'Another active client app already lists one of these iframe parents. Remove it there, or share it; frames must then pass the clientId in their URL.',
    insist: 'Share it between both apps',
  },
  created: {
    title: (name: string) => `Credentials of ${name}`,
    once: 'Save the secret now in a secret store. It is not shown again.',
    env: 'Environment (.env)',
    download: 'Download .env',
    fileName: 'coffer.env',
    stored: 'I have saved the secret',
    storedHint: 'If it is lost, you have to rotate it.',
    goOn: 'Continue to the integration',
  },
  activate: {
    activate: 'Activate',
    deactivate: 'Deactivate',
    offTitle: (name: string) => `Deactivate ${name}?`,
    off: 'Within a second, the following stops:',
    stops: [
      'server calls: they return 401 INVALID_CLIENT',
      'widget sessions, including open ones',
      'embedding the widget in its pages',
    ],
    stays:
      'Links, wallets, secrets and settings are kept. You can activate the app again at any time.',
    onTitle: (name: string) => `Activate ${name}?`,
    on: 'Server calls, sessions and embedding work again within a second.',
  },
  settlement: {
    label: 'Figures of this client app',
    amount: 'Settlement',
    weOwe: 'The platform owes this amount to the app: debits minus credits.',
    theyOwe: 'The app owes this amount to the platform: its credits exceed its debits.',
    even: 'Debits and credits are even.',
    noLimit: 'Credits have no limit.',
    left: (amount: string) => `${amount} can still be credited.`,
  },
  secrets: {
    columns: {
      secret: 'Secret',
      created: 'Created',
      expires: 'Expires',
      lastUsed: 'Last used',
      actions: 'Actions',
    },
    lead: 'Two secrets of the same kind can be valid at the same time, so that you can replace one without downtime.',
    rotate: 'Rotate secret',
    named: (id: string) => `Secret ${id}`,
    current: 'Current',
    leaving: 'Expiring',
    expired: 'Expired',
    rotateShort: 'Rotate',
    rotateNamed: (name: string) => `Rotate the secret ${name}`,
    revoke: 'Revoke now',
    revokeNamed: (id: string) => `Revoke now: secret ${id}`,
    revoked: 'The secret was revoked.',
    emptyTitle: 'No valid secret',
    empty: 'Every call of this app is refused. Rotate to create a new secret.',
  },
  rotate: {
    title: 'Rotate the secret',
    titleOf: (name: string) => `Rotate the secret ${name}`,
    text: 'This creates a new secret. Choose how long the old one stays valid.',
    hasTwo: 'Two secrets are currently valid. The older one expires immediately.',
    overlap: 'The old secret stays valid for',
    overlaps: { none: 'Not at all', '1h': '1 hour', '24h': '24 hours', '7d': '7 days' },
    hints: {
      none: 'The secret has leaked. Calls fail immediately until the app uses the new one.',
      '1h': 'You deploy the new secret right away.',
      '24h': 'Enough for a normal release. No calls fail in the meantime.',
      '7d': 'Another team or company has to deploy it.',
    },
    submit: 'Rotate',
    doneTitle: 'The new secret',
    stored: 'I have saved it',
  },
  revoke: {
    title: (id: string) => `Revoke secret ${id}?`,
    text: 'It stops working within a second. This cannot be undone.',
    last: 'This is the only valid secret. Within a second, every call of this app is refused until you rotate and deploy a new secret. This cannot be undone.',
  },
  integration: {
    embedTitle: 'Embed the widget',
    embed:
      'Without a session, the widget shows login and sign-up. Add &session= with a token from your backend to show the wallet.',
    html: 'HTML',
    backendTitle: 'Call from your backend',
    backend: 'Never put the secret into a page. Calls from a browser are refused.',
    session: 'Create a widget session',
    debit: 'Debit',
    credit: 'Credit',
  },
  check: {
    title: 'Integration check',
    lead: 'Recent activity of this app, updated automatically.',
    states: { good: 'OK:', open: 'Warning:', bad: 'Error:' },
    active: 'The app is active.',
    inactive: 'The app is not active, so all of its calls are refused.',
    used: 'Credentials accepted, last',
    usedLongAgo: 'Credentials work, but were last used',
    neverUsed: 'The credentials have never been used. Run one of the calls below.',
    scopes: (count: number) =>
      count === 2
        ? 'The app can read and write.'
        : count === 1
          ? 'The app has one of two scopes. Calls that need the other one are refused.'
          : 'The app has no scopes, so every call is refused.',
    parents: (count: number) =>
      count === 0
        ? 'No iframe parent is listed, so no page can embed the widget.'
        : `${count} ${count === 1 ? 'page' : 'pages'} can embed the widget.`,
    refused: (count: number) =>
      count === 0
        ? 'No pages were refused.'
        : `${count} ${count === 1 ? 'page that is not listed' : 'pages that are not listed'} tried to embed the widget.`,
    errors: (count: number) =>
      count === 0
        ? 'No calls were refused.'
        : `Calls were refused, with ${count} ${count === 1 ? 'code' : 'different codes'}.`,
    refusedTitle: 'Refused pages',
    errorsTitle: 'Refused calls',
    columns: { origin: 'Page', count: 'Count', last: 'Last', code: 'Code', meaning: 'Meaning' },
    refusedHint:
      'These pages are not verified: anyone can send a request that names any page. If the app’s developers confirm that a page is theirs, enter its origin under Settings.',
    unknownCode: 'See the API reference at /docs.',
  },
  /** Explains error codes to the developers of a client app. */
  meanings: {
    INVALID_CLIENT: 'The secret is wrong or revoked, or the app is not active.',
    INSUFFICIENT_SCOPE: 'The call needs a scope that the app does not have.',
    BROWSER_NOT_ALLOWED: 'A browser called the server API, so the secret has leaked. Rotate it.',
    INVALID_REQUEST: 'A field is missing or not valid.',
    INVALID_AMOUNT: 'The amount has too many decimals, has an exponent, or is out of range.',
    USER_NOT_FOUND: 'The user is not linked to this app. Show the widget without a session.',
    INVALID_SESSION: 'The session token is missing or not valid.',
    SESSION_EXPIRED: 'Sessions last 5 minutes. Create a new one and reload the widget.',
    ORIGIN_NOT_ALLOWED: 'parentOrigin is not listed in allowedIframeParents.',
    LINK_CODE_INVALID:
      'The link code is wrong, older than two minutes, or was issued for another verifier.',
    OPERATION_NOT_FOUND: 'There is no operation with this reference.',
    INSUFFICIENT_BALANCE: 'The balance is too low. A new attempt needs a new referenceId.',
    WALLET_INACTIVE: 'The wallet is frozen and cannot be debited.',
    SPEND_LIMIT_EXCEEDED: 'The person limits what the app may take.',
    CREDIT_LIMIT_EXCEEDED: 'The credit would exceed the app’s credit limit.',
    BALANCE_LIMIT: 'The balance would exceed the maximum of a wallet.',
    NOT_FOUND: 'The URL of the call is wrong.',
    PAYLOAD_TOO_LARGE: 'The body is larger than 16 KiB, or that of a batch than 512 KiB.',
    UNSUPPORTED_MEDIA_TYPE: 'The body is not sent as application/json.',
    RATE_LIMITED:
      'Too many calls. Wait as long as Retry-After says, then retry with the same reference.',
    SERVICE_UNAVAILABLE:
      'The service was overloaded, or writes were paused. Retry with the same reference.',
    EARLIER_OPERATION_FAILED:
      'An earlier operation of the batch on the same wallet failed. Send both again in the same order.',
    OUTCOME_UNKNOWN: 'Retry with the same reference. It is executed at most once.',
  },
}
