/** Code to copy, with the URL of this deployment and the app's clientId. */
import type { AdminPageData } from '../../page-data.ts'
import { readPageData } from '../../ui/read-page-data.ts'

const SECRET = 'YOUR_CLIENT_SECRET'

/** Not the origin of this page, which can be a separate one. */
function serviceUrl(): string {
  return (readPageData() as AdminPageData).publicOrigin ?? location.origin
}

export function writeEnv(clientId: string, clientSecret: string = SECRET): string {
  return `COFFER_URL=${serviceUrl()}
COFFER_CLIENT_ID=${clientId}
COFFER_CLIENT_SECRET=${clientSecret}
`
}

export function writeEmbed(clientId: string): string {
  return `<iframe
  src="${serviceUrl()}/widget/wallet?clientId=${clientId}"
  title="Wallet"
  width="420"
  height="640"
  allow="payment *; publickey-credentials-get"
  sandbox="allow-same-origin allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
></iframe>
`
}

export function writeSessionCall(clientId: string, parentOrigin: string | undefined): string {
  return writeCurl('/api/widget/session', {
    clientId,
    clientSecret: SECRET,
    serviceUserId: 'su_OF_YOUR_USER',
    parentOrigin: parentOrigin ?? 'https://shop.example',
  })
}

export function writeMoneyCall(kind: 'debit' | 'credit', clientId: string): string {
  const isDebit = kind === 'debit'
  return writeCurl(`/api/server/wallet/${kind}`, {
    clientId,
    clientSecret: SECRET,
    serviceUserId: 'su_OF_YOUR_USER',
    amount: isDebit ? 19.99 : 5,
    referenceType: isDebit ? 'ORDER_PAYMENT' : 'ORDER_REFUND',
    referenceId: isDebit ? 'order-1001' : 'refund-1001',
    description: isDebit ? 'Order 1001' : 'Refund of order 1001',
  })
}

function writeCurl(path: string, body: object): string {
  return `curl ${serviceUrl()}${path} \\
  --header 'Content-Type: application/json' \\
  --data '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}'
`
}
