import { z } from 'zod'

interface Key {
  id: string
  key: Buffer
}

/** Reads SECRET_PEPPERS or ADMIN_KEYS. */
export function parseKeys(text: string, context: z.core.$RefinementCtx<string>): [Key, ...Key[]] {
  const keys = text.split(',').map((part) => {
    const [id = '', base64 = ''] = part.split(':')
    return { id, key: Buffer.from(base64, 'base64') }
  })
  const areValid = keys.every(({ id, key }) => /^[\w-]{1,32}$/.test(id) && key.length >= 32)
  const distinct = new Set(keys.map(({ id }) => id)).size === keys.length
  const [first, ...others] = keys
  if (areValid && distinct && first) return [first, ...others]
  context.addIssue('must be id:base64 pairs of at least 32 bytes each, with distinct ids')
  return z.NEVER
}

export function formatKeys(keys: readonly Key[]): string {
  return keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',')
}
