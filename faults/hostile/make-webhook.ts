/** Events of a card processor: forged ones, and signed ones about objects that the service does not know. */
import { createHmac } from 'node:crypto'
import type { Dice } from '../clients/dice.ts'
import type { Route } from './list-routes.ts'
import type { Kind, HostileRequest } from './hostile-request.ts'
import { makeHostile } from './make-values.ts'
import type { Fixtures } from './create-fixtures.ts'
import { writeJson } from './write-request.ts'

const STRANGE_SIGNATURES = ['', 't=,v1=', 't=1,t=2', 'v1=00', 't=NaN,v1=x', 't=1e400', ',,,,', '=']

export function makeWebhook(
  route: Route,
  kind: Kind,
  { webhookSecret }: Fixtures,
  dice: Dice,
): HostileRequest {
  const isKnown = dice.chance(0.5)
  const value = () => (kind === 'valid' ? 'evt_1' : makeHostile(dice))
  const body = Buffer.from(
    writeJson([
      ['id', value()],
      ['object', 'event'],
      ['type', isKnown ? 'payment_intent.succeeded' : 'account.updated'],
      ['data', kind === 'valid' ? { object: { id: 'pi_1' } } : value()],
    ]),
  )
  // A signed event of a known type would have an effect.
  const isSigned = !isKnown && dice.chance(0.6)
  const secret = isSigned ? webhookSecret : 'whsec_forged'
  const signature = dice.chance(0.8) ? sign(body, secret) : dice.pick(STRANGE_SIGNATURES)
  const headers: HostileRequest['headers'] = [
    ['content-type', 'application/json; charset=utf-8'],
    ['stripe-signature', signature],
  ]
  return { route, kind, method: 'POST', target: route.path, headers, body, isAimed: true }
}

function sign(body: Buffer, secret: string): string {
  const time = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', secret).update(`${time}.`).update(body)
  return `t=${time},v1=${mac.digest('hex')}`
}
