/** Values for a field, from its schema in the contract. */
import { batchOperation, batchOperations } from '@coffer/contract/server/batch'
import type { Endpoint } from '@coffer/contract/endpoint'
import { wrongValuesOf } from '../../server/test/requests/wrong-input.ts'
import type { Dice } from '../clients/dice.ts'
import {
  BOUNDARY,
  VALID,
  Raw,
  RAWS,
  TEXTS,
  UNPRINTABLE,
} from '../../server/test/requests/values.ts'

/** The parts of a schema that are needed to generate a valid value. */
export interface Schema {
  def: {
    type: string
    innerType?: Schema
    element?: Schema
    shape?: Record<string, Schema>
    entries?: Record<string, string>
  }
  safeParse: (value: unknown) => { success: boolean }
}

const accepted = new WeakMap<Schema, readonly unknown[]>()

/** A value that the schema accepts; undefined: the field is left out. */
export function makeValid(schema: Schema, dice: Dice): unknown {
  const { type, innerType, element, shape, entries } = schema.def
  if (type === 'optional' && innerType) {
    return dice.chance(0.5) ? undefined : makeValid(innerType, dice)
  }
  if (type === 'object' && shape) {
    const made = Object.entries(shape).map(([name, field]) => [name, makeValid(field, dice)])
    return Object.fromEntries(made.filter(([, value]) => value !== undefined))
  }
  if (Object.is(schema, batchOperations)) {
    return Array.from({ length: dice.between(1, 3) }, () =>
      makeValid(batchOperation as unknown as Schema, dice),
    )
  }
  if (type === 'array' && element) {
    return Array.from({ length: dice.between(0, 2) }, () => makeValid(element, dice))
  }
  if (type === 'enum' && entries) return dice.pick(Object.values(entries))
  return dice.pick(validValuesFor(schema))
}

function validValuesFor(schema: Schema): readonly unknown[] {
  const known = accepted.get(schema)
  if (known) return known
  const fitting = VALID.filter((value) => schema.safeParse(value).success)
  if (fitting.length === 0) throw new Error('no value in VALID fits this schema; add one')
  accepted.set(schema, fitting)
  return fitting
}

/** A nearly valid value for a field: another type, another word, too long or too short. */
export function makeNearly(endpoint: Endpoint, name: string, dice: Dice): unknown {
  const isKnown = name in endpoint.input.shape
  const wrong = isKnown ? wrongValuesOf(endpoint, name).filter((value) => value !== undefined) : []
  if (wrong.length > 0 && dice.chance(0.2)) return dice.pick(wrong)
  return dice.chance(0.6) ? dice.pick(BOUNDARY) : dice.pick(VALID)
}

export function makeHostile(dice: Dice): unknown {
  const throwIt = dice.next()
  if (throwIt < 0.2) return dice.pick(UNPRINTABLE)
  return throwIt < 0.7 ? dice.pick(TEXTS) : new Raw(dice.pick(RAWS))
}
