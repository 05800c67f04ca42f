import { invalidRequest } from '../stripe-error.ts'
import { isParams, type Params } from './parse-form.ts'

export function readString(params: Params, name: string): string | null {
  const value = params[name]
  if (value === undefined || value === '') return null
  if (typeof value === 'string') return value
  throw invalidRequest(`Invalid string: ${name}`, { param: name })
}

export function requireString(params: Params, name: string): string {
  const value = readString(params, name)
  if (value !== null) return value
  const message = `Missing required param: ${name}.`
  throw invalidRequest(message, { code: 'parameter_missing', param: name })
}

export function readInteger(params: Params, name: string): number | null {
  const value = readString(params, name)
  if (value === null) return null
  if (/^-?\d{1,15}$/.test(value)) return Number(value)
  const message = `Invalid integer: ${value}`
  throw invalidRequest(message, { code: 'parameter_invalid_integer', param: name })
}

export function requireInteger(params: Params, name: string): number {
  requireString(params, name)
  return readInteger(params, name) ?? 0
}

export function readBoolean(params: Params, name: string): boolean | null {
  const value = readString(params, name)
  if (value === null) return null
  if (value === 'true' || value === 'false') return value === 'true'
  throw invalidRequest(`Invalid boolean: ${value}`, { param: name })
}

export function readStrings(params: Params, name: string): string[] | null {
  const value = params[name]
  if (value === undefined || value === '') return null
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw invalidRequest(`Invalid array`, { param: name })
}

export function readGroup(params: Params, name: string): Params | null {
  const value = params[name]
  if (value === undefined || value === '') return null
  if (isParams(value)) return value
  throw invalidRequest('Invalid object', { param: name })
}

/** Merges metadata as Stripe does: adds or replaces keys, and removes keys with an empty value. */
export function mergeMetadata(old: Record<string, string>, params: Params): Record<string, string> {
  if (params['metadata'] === '') return {}
  const changes = readGroup(params, 'metadata') ?? {}
  const merged = new Map(Object.entries(old))
  for (const [name, value] of Object.entries(changes)) {
    const param = `metadata[${name}]`
    if (typeof value !== 'string') throw invalidRequest(`Invalid string`, { param })
    if (name.length > 40 || value.length > 500) {
      throw invalidRequest('Metadata keys can have up to 40, values up to 500 characters.', {
        param,
      })
    }
    if (value === '') merged.delete(name)
    else merged.set(name, value)
  }
  if (merged.size > 50) {
    throw invalidRequest('You can specify up to 50 metadata keys.', { param: 'metadata' })
  }
  return Object.fromEntries(merged)
}
