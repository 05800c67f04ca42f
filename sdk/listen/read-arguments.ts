/** Reads and checks the command line and the environment of `listen`. */
import { parseArgs } from 'node:util'
import { checkOptions, type Connection } from '../check-options.ts'
import type { CofferEvent } from '../event-types.ts'
import type { CofferOptions } from '../types.ts'
import { readSecret, writeSecret } from '../webhook/read-secret.ts'

export const HELP = `Usage: npx @coffer/sdk listen --forward-to URL [options]

Reads the events of your app and sends each one to a server on your machine, as a signed webhook request.

Options:
  --forward-to URL   where the requests go, such as http://localhost:4000/webhooks
  --types TYPES      only these types, separated by commas, such as link.ended,topup.credited
  --after CURSOR     begin after the event with this cursor, instead of with new events
  --since-start      begin with the oldest event that the service keeps
  --secret SECRET    sign with this secret (default: COFFER_WEBHOOK_SECRET; without one, a secret is printed)
  --env FILE         read variables from this file
  --allow-remote     allow a URL that is not on this machine
  --help             show this text

Variables: COFFER_URL, COFFER_CLIENT_ID and COFFER_CLIENT_SECRET of your app, and optionally COFFER_WEBHOOK_SECRET.
`

/** What the user did wrong. It is shown without a stack trace. */
export class UsageError extends Error {}

export interface Arguments {
  connection: Connection
  clientId: string
  target: URL
  types: CofferEvent['type'][] | undefined
  /** undefined: begin with new events. */
  after: { cursor: string | undefined } | undefined
  key: Uint8Array<ArrayBuffer>
  /** A derived secret, which the command prints. undefined if the user gave one. */
  newSecret: string | undefined
}

const OPTIONS = {
  'forward-to': { type: 'string' },
  types: { type: 'string' },
  after: { type: 'string' },
  'since-start': { type: 'boolean' },
  secret: { type: 'string' },
  env: { type: 'string' },
  'allow-remote': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const VARIABLES = [
  ['COFFER_URL', 'serviceUrl'],
  ['COFFER_CLIENT_ID', 'clientId'],
  ['COFFER_CLIENT_SECRET', 'clientSecret'],
] as const

/** undefined: show the help. */
export async function readArguments(args: string[]): Promise<Arguments | undefined> {
  const { values, positionals } = parse(args)
  if (values.help || args.length === 0) return undefined
  if (positionals.length !== 1 || positionals[0] !== 'listen') {
    throw new UsageError('The only command is listen: npx @coffer/sdk listen --forward-to URL')
  }
  if (values.env !== undefined) loadEnvFile(values.env)
  const target = checkTarget(values['forward-to'], values['allow-remote'] ?? false)
  if (values.after !== undefined && values['since-start']) {
    throw new UsageError('Use either --after or --since-start.')
  }
  const isPast = values.after !== undefined || values['since-start'] === true
  const [serviceUrl, clientId, clientSecret] = VARIABLES.map(([variable]) => readVariable(variable))
  return {
    connection: checkVariables({ serviceUrl, clientId, clientSecret }),
    clientId: clientId ?? '',
    target,
    types: values.types?.split(',') as CofferEvent['type'][] | undefined,
    after: isPast ? { cursor: values.after } : undefined,
    ...(await chooseSecret(values.secret, clientSecret ?? '')),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nSee npx @coffer/sdk --help.`)
  }
}

function loadEnvFile(file: string) {
  try {
    process.loadEnvFile(file)
  } catch (error) {
    throw new UsageError(`--env: ${(error as Error).message}`)
  }
}

function readVariable(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new UsageError(
    `${name} is missing. Set this variable, or use --env to read it from a file.`,
  )
}

/** The SDK names its options; here they are variables. */
function checkVariables(options: CofferOptions): Connection {
  try {
    return checkOptions(options)
  } catch (error) {
    const { message } = error as Error
    const named = VARIABLES.reduce((text, [name, option]) => text.replace(option, name), message)
    throw new UsageError(named)
  }
}

function checkTarget(text: string | undefined, allowsRemote: boolean): URL {
  const example = 'such as --forward-to http://localhost:4000/webhooks'
  if (!text) throw new UsageError(`--forward-to is missing. Say where requests go, ${example}.`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`--forward-to must be a URL that begins with http://, ${example}.`)
  }
  if (url.username || url.password) {
    throw new UsageError('--forward-to must not contain a user name or password.')
  }
  const isLocal = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (!isLocal && !allowsRemote) {
    throw new UsageError(
      `${url.hostname} is not this machine, and events contain data of your users. To send them there, add --allow-remote.`,
    )
  }
  return url
}

/**
 * Without a secret, one is derived from the client secret: it stays the same when this command starts again, and does not
 * reveal the client secret.
 */
async function chooseSecret(option: string | undefined, clientSecret: string) {
  const given = option ?? process.env['COFFER_WEBHOOK_SECRET']
  if (given) {
    const name = option === undefined ? 'COFFER_WEBHOOK_SECRET' : '--secret'
    return { key: checkSecret(name, given), newSecret: undefined }
  }
  const text = new TextEncoder().encode(clientSecret)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const base = await crypto.subtle.importKey('raw', text, hmac, false, ['sign'])
  const purpose = new TextEncoder().encode('@coffer/sdk listen')
  const key = new Uint8Array(await crypto.subtle.sign(hmac, base, purpose))
  return { key, newSecret: writeSecret(key) }
}

function checkSecret(name: string, secret: string) {
  try {
    return readSecret(secret)
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`)
  }
}
