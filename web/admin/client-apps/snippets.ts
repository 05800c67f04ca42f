/** Code to copy, which uses the packages as docs/integration.md does. `scripts/app-snippets.test.ts` runs it. */

/** Named here, because `tidy.test.ts` takes a line of the code below for an import of this file. */
const EMBED = '@coffer/embed'
const SDK = '@coffer/sdk'

export function writeEnv(
  serviceUrl: string,
  clientId: string,
  clientSecret = 'YOUR_CLIENT_SECRET',
): string {
  return `COFFER_URL=${serviceUrl}
COFFER_CLIENT_ID=${clientId}
COFFER_CLIENT_SECRET=${clientSecret}
`
}

export function writePage(serviceUrl: string, clientId: string): string {
  return `import { mountWallet } from '${EMBED}'

mountWallet(document.querySelector('#wallet'), {
  serviceUrl: '${serviceUrl}',
  clientId: '${clientId}',
  fetchSession: () => post('/wallet/session'),
  saveLink: ({ linkCode }) => post('/wallet/link', { linkCode }),
  clearLink: () => post('/wallet/unlink'),
})

// Calls your backend, which knows who is logged in to your app.
async function post(path, body = {}) {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(\`\${path} returned \${response.status}\`)
  return response.json()
}
`
}

export function writeBackend(parentOrigin = 'https://shop.example'): string {
  return `import { createCoffer, createVerifier, isCofferError } from '${SDK}'

export const coffer = createCoffer({
  serviceUrl: process.env.COFFER_URL,
  clientId: process.env.COFFER_CLIENT_ID,
  clientSecret: process.env.COFFER_CLIENT_SECRET,
})

// user and session are those of your own login. Store what these functions change.

// POST /wallet/session
export async function openWallet(user, session) {
  const { serviceUserId } = user
  if (!serviceUserId) return startLink(session) // the widget shows its login
  try {
    return await coffer.createSession({ serviceUserId, parentOrigin: '${parentOrigin}' })
  } catch (error) {
    if (!isCofferError(error, 'USER_NOT_FOUND')) throw error
    delete user.serviceUserId // the person unlinked your app
    return startLink(session)
  }
}

// POST /wallet/link
export async function saveLink(user, session, { linkCode }) {
  const verifier = session.link?.verifier
  const { serviceUserId } = await coffer.exchangeLinkCode({ linkCode, verifier })
  user.serviceUserId = serviceUserId
  return {}
}

// POST /wallet/unlink
export async function clearLink(user, session) {
  delete user.serviceUserId
  return startLink(session)
}

// The page gets only the challenge. The verifier stays in the session and proves who asked for the link.
async function startLink(session) {
  session.link ??= await createVerifier()
  return { challenge: session.link.challenge }
}
`
}

/** Goes below the code of the backend. */
export function writePayment(): string {
  return `const payment = { referenceType: 'ORDER_PAYMENT', referenceId: 'order-1001-attempt-1' }

export function pay({ serviceUserId }) {
  // Sending the same reference again never pays twice.
  return coffer.debit({ serviceUserId, amount: '19', ...payment, description: 'Order 1001' })
}

export function refund() {
  const reference = { referenceType: 'ORDER_REFUND', referenceId: 'refund-1' }
  return coffer.refund({ debit: payment, amount: '5', ...reference })
}
`
}
