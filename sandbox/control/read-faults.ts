import { createFaults, isCallFault, type CallFault, type Faults } from '../faults.ts'
import { invalidRequest } from '../stripe-error.ts'

type Json = Record<string, unknown>

/** Merges faults from JSON into `faults`. Throws for an unknown fault, without applying any of them. */
export function readFaults(faults: Faults, input: unknown) {
  const next = structuredClone(faults)
  for (const [name, value] of Object.entries(asObject(input, 'faults'))) {
    if (isCallFault(name)) next[name] = readCallFault(name, value)
    else if (name === 'webhook') mergeInto(next.webhook, asObject(value, name), 'webhook.')
    else mergeInto(next, { [name]: value }, '')
  }
  Object.assign(faults, next)
}

/** A number alone means that many calls of the default route. */
function readCallFault(name: string, value: unknown): CallFault {
  if (typeof value === 'number') return { times: value }
  const { times, route, reset, ...rest } = asObject(value, name)
  if (typeof times !== 'number' || Object.keys(rest).length > 0) {
    throw invalidRequest(`${name} must be { times, route?, reset? }.`)
  }
  if (route !== undefined && typeof route !== 'string') {
    throw invalidRequest(`${name}.route must be a string such as "POST /v1/refunds", or "*".`)
  }
  return {
    times,
    ...(route === undefined ? {} : { route }),
    ...(reset === true ? { reset: true } : {}),
  }
}

function mergeInto(target: Json, changes: Json, prefix: string) {
  const known: Json = { ...createFaults(), ...createFaults().webhook }
  for (const [name, value] of Object.entries(changes)) {
    if (!(name in target)) throw invalidRequest(`Unknown fault: ${prefix}${name}.`)
    const fits = typeof value === typeof known[name] || (name === 'drop' && value === true)
    const isChoice = name !== 'threeDSecure' || value === 'overlay' || value === 'redirect'
    if (!fits || !isChoice) throw invalidRequest(`${prefix}${name} cannot be ${String(value)}.`)
    target[name] = value
  }
}

function asObject(value: unknown, name: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw invalidRequest(`${name} must be an object.`)
}
