/** Gives a charge of a client app back to the person: a correction with amount and reason filled in. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import type { Person, PersonEntry } from '../calls.ts'
import { REASON_MAX } from '../kit/form-parts.tsx'
import { GrantDialog } from '../kit/money-dialog.tsx'
import { nameOf } from '../kit/person-name.ts'
import { words } from '../messages.ts'
import { useMay } from '../operator-context.ts'
import * as styles from './people.module.css'

interface GiveBackProps {
  entry: PersonEntry
  person: Person
  reload: () => Promise<void>
  onDone: (text: string) => void
}

export function GiveBack({ entry, person, reload, onDone }: GiveBackProps) {
  const mayGive = useMay('operator')
  const [isAsking, setIsAsking] = useState(false)
  const { app, refunded = 0, amount, referenceType, referenceId } = entry
  const isCharge = entry.kind === 'debit' || entry.kind === 'capture'
  if (!mayGive || !isCharge || app === null || person.email === null) return null
  const left = Math.round((amount - refunded) * 1000) / 1000
  if (left <= 0) return null
  const reason = words.grant.giveBackReason(app, `${referenceType} ${referenceId}`)
  return (
    <p class={styles.entryAction}>
      <Button kind="secondary" onClick={() => setIsAsking(true)}>
        {words.grant.giveBack}
      </Button>
      {isAsking && (
        <GrantDialog
          payee={{ ...person, personId: person.id, name: nameOf(person) }}
          isBonus={false}
          charge={{
            grantId: toGrantId(entry.id),
            app,
            amount: left,
            reason: reason.slice(0, REASON_MAX),
          }}
          reload={reload}
          onDone={onDone}
          onClose={() => setIsAsking(false)}
        />
      )}
    </p>
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
