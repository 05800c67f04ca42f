/** The buttons to give a bonus or correct a balance. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { words } from '../messages.ts'
import { GrantDialog, type Payee } from './money-dialog.tsx'
import { useMay } from '../operator-context.ts'

interface PersonMoneyProps extends Payee {
  reload: () => Promise<void>
  onDone: (text: string) => void
}

export function PersonMoney({ reload, onDone, ...payee }: PersonMoneyProps) {
  const mayGive = useMay('operator')
  const [asked, setAsked] = useState<'bonus' | 'correction' | null>(null)
  if (!mayGive) return null
  return (
    <>
      <Button kind="secondary" onClick={() => setAsked('bonus')}>
        {words.grant.bonus}
      </Button>
      <Button kind="secondary" onClick={() => setAsked('correction')}>
        {words.grant.correct}
      </Button>
      {asked && (
        <GrantDialog
          payee={payee}
          isBonus={asked === 'bonus'}
          reload={reload}
          onDone={onDone}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
