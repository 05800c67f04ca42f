/** One page per error code: facts from the contract, the explanation from docs/errors.md. */
import { ACCOUNT_ENDPOINTS } from '@coffer/contract/account/account'
import { ADMIN_SIGN_IN_ENDPOINTS, ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import { CLIENT_SECRET_ENDPOINTS } from '@coffer/contract/client-secret'
import type { Endpoint } from '@coffer/contract/endpoint'
import { ERRORS, UNHANDLED_ERROR, type ErrorEntry } from '@coffer/contract/errors'
import { SERVER_ENDPOINTS } from '@coffer/contract/server/wallet'
import { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from '@coffer/contract/widget/widget'
import { WIDGET_CARD_ENDPOINTS } from '@coffer/contract/widget/cards'
import { readFileSync } from 'node:fs'
import { listDocumentedEndpoints } from './endpoint-address.ts'
import { ROOT, type Page } from './page.ts'

/** Raised by the SDK; the service never sends them. */
const CLIENT_SIDE: Record<string, string> = {
  ACCOUNT_NOT_LINKED: 'This user of your app has no linked account. No request was sent.',
  REPLAY_MISMATCH:
    'The reference was already used for a different operation. Nothing was executed.',
  UNEXPECTED_RESPONSE: 'Unexpected response; check serviceUrl.',
}
const SOURCE = 'docs/errors.md'

const ENDPOINTS: Record<string, Endpoint> = {
  ...SERVER_ENDPOINTS,
  ...WIDGET_ENDPOINTS,
  ...WIDGET_PAGE_ENDPOINTS,
  ...WIDGET_CARD_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...CLIENT_SECRET_ENDPOINTS,
  ...ADMIN_SIGN_IN_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
}

const SAMPLES = [
  ['debit', 'debit(payment)'],
  ['credit', 'credit(payment)'],
  ['refund', 'refund(refund)'],
  ['hold', 'hold(hold)'],
  ['capture', 'capture(capture)'],
  ['release', 'release(release)'],
  ['exchangeLinkCode', 'exchangeLinkCode({ linkCode, verifier })'],
] as const

const ALL_ERRORS: Record<string, ErrorEntry> = {
  ...ERRORS,
  [UNHANDLED_ERROR.code]: UNHANDLED_ERROR,
}
const CODES: string[] = [...Object.keys(ALL_ERRORS), ...Object.keys(CLIENT_SIDE)].toSorted()

export function readErrorPages(): Page[] {
  const text = readFileSync(`${ROOT}${SOURCE}`, 'utf8')
  const [intro = '', ...sections] = text.split(/^## /m)
  const explained = new Map(
    sections.map((section) => {
      const [code = '', ...lines] = section.split('\n')
      return [code.replaceAll('`', '').trim(), lines.join('\n').trim()]
    }),
  )
  const unknown = [...explained.keys()].filter((code) => !CODES.includes(code))
  const missing = CODES.filter((code) => !explained.has(code))
  if (unknown.length + missing.length > 0) {
    throw new Error(`${SOURCE}: unknown ${unknown.join(', ')}; missing ${missing.join(', ')}`)
  }
  const rows = CODES.map(
    (code) => `| ${statusOf(code)} | [\`${code}\`](errors/${code}) | ${textOf(code)} |`,
  )
  const list = ['| Status | Code | Text |', '| --- | --- | --- |', ...rows].join('\n')
  const index = `${intro.trim()}\n\n${list}\n`
  const shared = { source: SOURCE, section: 'Errors' } as const
  return [
    { ...shared, path: 'errors', title: 'Errors', markdown: index },
    ...CODES.map((code) => ({
      ...shared,
      path: `errors/${code}`,
      title: code,
      markdown: writePage(code, explained.get(code) ?? ''),
    })),
  ]
}

function entryOf(code: string): ErrorEntry | undefined {
  return ALL_ERRORS[code]
}

function statusOf(code: string): string {
  return String(entryOf(code)?.status ?? 'SDK')
}

function textOf(code: string): string {
  return entryOf(code)?.text ?? CLIENT_SIDE[code] ?? ''
}

function writePage(code: string, explanation: string): string {
  const entry = entryOf(code)
  const facts = entry
    ? [
        `**Status ${statusesOf(code, entry)}**${entry.requiresAuth ? ' with `requiresAuth: true`' : ''}${
          entry.retryAfterSeconds ? ' and a `Retry-After` header' : ''
        }`,
        `> ${entry.text}`,
      ]
    : ['**Raised by the SDK**', `> ${textOf(code)}`]
  return [`# ${code}`, ...facts, explanation, writeSample(code), writeEndpoints(code)]
    .filter(Boolean)
    .join('\n\n')
}

/** Only endpoints that an app or its widget calls: operators and people use pages of the service. */
function writeEndpoints(code: string): string {
  const documented = listDocumentedEndpoints()
  const links = Object.values(ENDPOINTS).flatMap(({ method, path, errors }) => {
    const found = documented.find((each) => each.method === method && each.path === path)
    return found && code in errors ? [`- [\`${method} ${path}\`](${found.address})`] : []
  })
  return links.length > 0 ? `## Returned by\n\n${links.join('\n')}` : ''
}

/** How an app recognizes it with the SDK, at the first call that can raise it. */
function writeSample(code: string): string {
  const call = SAMPLES.find(([name]) => code in SERVER_ENDPOINTS[name].errors)?.[1]
  const isRaised = code in CLIENT_SIDE
  if (call === undefined && !isRaised) return ''
  const lines = [
    'try {',
    `  await coffer.${call ?? 'debit(payment)'}`,
    '} catch (error) {',
    `  if (!isCofferError(error, '${code}')) throw error`,
    '  // What to do is described above.',
    '}',
  ]
  return `## In the SDK\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\``
}

/** Some endpoints override the status of a code. */
function statusesOf(code: string, entry: ErrorEntry): string {
  const others = Object.values(ENDPOINTS).flatMap(({ errors }) => {
    const own = (errors as Record<string, { status?: number } | undefined>)[code]
    return own?.status === undefined ? [] : [own.status]
  })
  return [...new Set([entry.status, ...others])].toSorted((a, b) => a - b).join(' or ')
}
