import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Sandbox } from '../context.ts'
import { bundleScript } from './bundle-script.ts'
import { mountChallenge } from './mount-challenge.ts'

const ASSETS: Record<string, string> = {
  payment: 'frame/card-form.html',
  'card-form.css': 'frame/card-form.css',
  'card-form.js': 'frame/card-form.js',
  'apply-appearance.js': 'frame/apply-appearance.js',
  'choose-texts.js': 'frame/choose-texts.js',
  'confirm-with-card.js': 'frame/confirm-with-card.js',
  'format-card.js': 'frame/format-card.js',
  'challenge.css': 'challenge/challenge.css',
  'challenge.js': 'challenge/challenge.js',
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** The part of js.stripe.com that pages use: the script, the card form and the challenge. */
export function mountBrowser(app: FastifyInstance, sandbox: Sandbox) {
  const sendScript = (reply: FastifyReply, release: string) => {
    reply.headers({ 'content-type': TYPES['js'], 'cross-origin-resource-policy': 'cross-origin' })
    return reply.send(bundleScript(sandbox.settings.publicUrl, release))
  }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
    })
  })
  app.get('/v3', (_request, reply) => sendScript(reply, 'v3'))
  app.get('/v3/', (_request, reply) => sendScript(reply, 'v3'))
  app.get('/stripe.js', (_request, reply) => sendScript(reply, 'endive'))
  app.get<{ Params: { release: string } }>('/:release/stripe.js', ({ params }, reply) =>
    /^[a-z0-9]+$/.test(params.release) ? sendScript(reply, params.release) : reply.callNotFound(),
  )
  for (const [name, file] of Object.entries(ASSETS)) {
    app.get(`/sandbox/elements/${name}`, (_request, reply) => {
      reply.header('content-type', TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain')
      return reply.send(readFileSync(new URL(file, import.meta.url)))
    })
  }
  mountChallenge(app, sandbox)
}
