import type { FoundOperation } from '../calls.ts'
import { operationWords } from './messages.ts'

const texts = operationWords.verdict

type Charge = Pick<NonNullable<FoundOperation['decision']>, 'kind' | 'amount' | 'refunded'>
type Similar = Pick<FoundOperation['similar'][number], 'refunded'>

/** `similar` has the same amount. A warning: more than one charge is not refunded in full. */
export function judgeCharge(
  { kind, amount, refunded }: Charge,
  similar: readonly Similar[],
  format: (amount: number) => string,
): { kind: 'good' | 'warning' | 'none'; title: string } {
  const charges = 1 + similar.length
  const returned = [{ refunded }, ...similar].filter((each) => each.refunded >= amount).length
  if (charges > 1) {
    const title = texts.several(charges, format(amount), returned)
    return { kind: charges - returned > 1 ? 'warning' : 'none', title }
  }
  if (refunded === 0) return { kind: 'good', title: texts.posted[kind](format(amount)) }
  const how = refunded < amount ? texts.refundedPart(format(refunded)) : texts.refundedAll
  return { kind: 'none', title: texts.chargedAnd(format(amount), how) }
}
