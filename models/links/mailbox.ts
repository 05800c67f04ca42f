/** The emails that the service sends, without a mail server: they are there when the response is. */
import assert from 'node:assert/strict'
import type { Harness } from '../../server/test/harness.ts'
import type { Mail, MailKind, Token } from './state.ts'
import type { Matcher } from './match.ts'

const KINDS: Record<MailKind, string> = {
  code: 'Confirm your email address',
  'reset link': 'Set a new password for your wallet',
  'already registered': 'You already have a wallet account',
  'password reset': 'The password of your wallet was reset',
  'password changed': 'The password of your wallet was changed',
  'app linked': 'An app was connected to your wallet',
  'app unlinked': 'An app was disconnected from your wallet',
  'all apps unlinked': 'All apps were disconnected from your wallet',
  'new login': 'New login to your wallet account',
  'email changed': 'The email address of your wallet was changed',
  'email restored': 'The change of your email address was undone',
}

const LINKS = /\/account#(reset|undo|warning)\?ticket=([\w-]+)$/gm
const CODES = /^\d{6}$/gm

interface Sent {
  to: string
  subject: string
  text: string
}

/** The environment of a service that has a mail server, which nobody calls. */
export const MAIL_ENV = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Coffer <wallet@service.example>',
}

export class Mailbox {
  #sent: Sent[] = []

  constructor({ context: { mailer } }: Harness) {
    assert(mailer)
    const keep = (to: string, { subject, text }: Sent) =>
      void this.#sent.push({ to, subject, text })
    Object.assign(mailer, { send: keep, deliver: keep })
  }

  /** What was sent since the last call must be these emails, in this order. */
  compare(expected: readonly Mail[], matcher: Matcher) {
    const sent = this.#sent
    this.#sent = []
    const seen = sent.map(({ to, subject }) => [to, subject])
    assert.deepEqual(
      seen,
      expected.map(({ to, kind }) => [to, KINDS[kind]]),
      'the emails',
    )
    for (const [at, { kind, token, warning }] of expected.entries()) {
      const found = readTokens(sent[at] as Sent)
      const wanted = new Map<string, Token>()
      if (token)
        wanted.set(kind === 'code' ? 'code' : kind === 'reset link' ? 'reset' : 'undo', token)
      if (warning) wanted.set('warning', warning)
      assert.deepEqual([...found.keys()], [...wanted.keys()], `the links in: ${kind}`)
      for (const [name, each] of wanted) matcher.bind(found.get(name), each, `the email ${kind}`)
    }
  }
}

function readTokens({ text }: Sent): Map<string, string> {
  const links = [...text.matchAll(LINKS)].map(([, name = '', ticket = '']): [string, string] => [
    name,
    ticket,
  ])
  const codes = [...text.matchAll(CODES)].map(([code]): [string, string] => ['code', code])
  return new Map([...codes, ...links])
}
