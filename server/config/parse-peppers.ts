import { z } from 'zod'

interface Key {
  id: string
  key: Buffer
}

/** Reads SECRET_PEPPERS or ADMIN_KEYS. */
export function parsePeppers(
  text: string,
  context: z.core.$RefinementCtx<string>,
): [Key, ...Key[]] {
  const peppers = text.split(',').map((part) => {
    const [id = '', base64 = ''] = part.split(':')
    return { id, key: Buffer.from(base64, 'base64') }
  })
  const areValid = peppers.every(({ id, key }) => /^[\w-]{1,32}$/.test(id) && key.length >= 32)
  const distinct = new Set(peppers.map(({ id }) => id)).size === peppers.length
  const [first, ...others] = peppers
  if (areValid && distinct && first) return [first, ...others]
  context.addIssue('must be id:base64 pairs of at least 32 bytes each, with distinct ids')
  return z.NEVER
}
