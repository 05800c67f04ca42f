import { z } from 'zod'
import {
  METADATA_KEY_MAX,
  METADATA_KEYS_MAX,
  METADATA_MAX_BYTES,
  METADATA_VALUE_MAX,
} from '../limits.ts'
import { text } from '../shapes.ts'

export type Metadata = Record<string, string>

const KEY = text(1, METADATA_KEY_MAX)
const VALUE = text(0, METADATA_VALUE_MAX)
const encoder = new TextEncoder()

const EXPECTED = `must be an object with at most ${METADATA_KEYS_MAX} keys of 1 to ${METADATA_KEY_MAX} characters, whose values are strings of at most ${METADATA_VALUE_MAX} characters, without control characters and with at most ${METADATA_MAX_BYTES} bytes as JSON`

/** One message for every error, because a message about a key would have to repeat what the caller sent. */
export const metadata = z
  .record(z.string(), z.unknown(), { error: EXPECTED })
  .refine(isMetadata, { error: EXPECTED })
  .meta({
    description: `Up to ${METADATA_KEYS_MAX} keys of 1 to ${METADATA_KEY_MAX} characters, with their values, that you store with the operation, at most ${METADATA_MAX_BYTES} bytes as JSON. Only your app sees them: when it looks up, lists or exports operations. A repeated request does not change them. Do not store personal data in them.`,
    maxProperties: METADATA_KEYS_MAX,
    additionalProperties: { type: 'string', maxLength: METADATA_VALUE_MAX },
    examples: [{ orderId: '1001', campaign: 'spring' }],
  }) as unknown as z.ZodType<Metadata, Metadata>

function isMetadata(value: Record<string, unknown>): boolean {
  const entries = Object.entries(value)
  return (
    entries.length <= METADATA_KEYS_MAX &&
    entries.every(([key, each]) => KEY.safeParse(key).success && VALUE.safeParse(each).success) &&
    encoder.encode(JSON.stringify(value)).length <= METADATA_MAX_BYTES
  )
}
