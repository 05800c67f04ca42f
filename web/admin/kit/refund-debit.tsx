/** Refunds a debit of a client app to the person: a correction with amount and reason filled in. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import type { Person, PersonEntry } from '../calls.ts'
import { REASON_MAX } from './form-parts.tsx'
import { GrantDialog } from './grant-dialog.tsx'
import { nameOf } from './links.tsx'
import { useMay } from '../operator-context.ts'

interface RefundDebitProps {
  entry: PersonEntry
  person: Person
  reload: () => Promise<void>
  /** `text` says what was posted. */
  onDone: (text: string) => void
}

export function RefundDebit({
  class: className,
  ...debit
}: RefundDebitProps & { class?: string | undefined }) {
  const mayGrant = useMay('operator')
  const [isAsking, setIsAsking] = useState(false)
  if (!mayGrant || !canRefund(debit)) return null
  return (
    <p class={className}>
      <Button kind="secondary" onClick={() => setIsAsking(true)}>
        Refund
      </Button>
      {isAsking && <RefundDebitDialog {...debit} onClose={() => setIsAsking(false)} />}
    </p>
  )
}

export function canRefund({ entry, person }: Pick<RefundDebitProps, 'entry' | 'person'>): boolean {
  const isDebit = entry.kind === 'debit' || entry.kind === 'capture'
  return isDebit && entry.app !== null && person.email !== null && amountLeft(entry) > 0
}

function amountLeft({ amount, refunded = 0 }: PersonEntry): number {
  return Math.round((amount - refunded) * 1000) / 1000
}

interface RefundDebitDialogProps extends RefundDebitProps {
  onClose: () => void
}

export function RefundDebitDialog({ entry, person, ...callbacks }: RefundDebitDialogProps) {
  const { id, referenceType, referenceId } = entry
  const app = entry.app ?? ''
  const reason = `Refund of ${referenceType} ${referenceId} of ${app}.`
  return (
    <GrantDialog
      payee={{ ...person, personId: person.id, name: nameOf(person) }}
      isBonus={false}
      debit={{
        grantId: toGrantId(id),
        app,
        amount: amountLeft(entry),
        reason: reason.slice(0, REASON_MAX),
      }}
      {...callbacks}
    />
  )
}

/** The digits of the transaction's id, in the form of a UUID of version 8. */
function toGrantId(transactionId: string): string {
  const digits = transactionId.replace(/^txn_/, '')
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ]
  return groups.join('-')
}
