/** The name of the person, and the actions that the operator's role allows. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { Badge } from '../kit/badge.tsx'
import type { Person } from '../calls.ts'
import { CopyButton } from '../kit/copy.tsx'
import { GrantDialog } from '../kit/grant-dialog.tsx'
import { MoreMenu } from '../kit/more-menu.tsx'
import { useMay } from '../operator-context.ts'
import { WalletState } from './people.tsx'
import { EraseDialog } from './erase.tsx'
import { FreezeDialog } from './freeze.tsx'
import { nameOf } from '../kit/links.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './people.module.css'

interface PersonHeadProps {
  id: string
  person: Person | null
  reload: () => Promise<void>
  onDone: (text: string) => void
}

export function PersonHead({ id, person, reload, onDone }: PersonHeadProps) {
  return (
    <div class={parts.sectionHead}>
      <div class={parts.appTitle}>
        <h1 class={parts.sectionTitle} tabIndex={-1} dir="auto">
          {person ? nameOf(person) : <TextPlaceholder length={14} />}
          {!person && <span class={base.visuallyHidden}>Loading …</span>}
        </h1>
        <p class={parts.appId}>
          {person && <WalletState person={person} />}
          {person?.email && <Email person={person} email={person.email} />}
          <Link
            class={button.textButton}
            to={`${paths.audit}?search=${encodeURIComponent(`person/${id}`)}`}
          >
            Audit log of this person
          </Link>
        </p>
      </div>
      {person && person.email !== null && (
        <Actions person={person} reload={reload} onDone={onDone} />
      )}
    </div>
  )
}

function Email({ person, email }: { person: Person; email: string }) {
  return (
    <>
      <span class={styles.personAddress}>{email}</span>
      {person.isEmailVerified ? (
        <Badge kind="good">Verified</Badge>
      ) : (
        <Badge kind="warning">Not verified</Badge>
      )}
      <CopyButton text={email} what="Email" />
    </>
  )
}

interface ActionsProps {
  person: Person
  reload: () => Promise<void>
  onDone: (text: string) => void
}

function Actions({ person, reload, onDone }: ActionsProps) {
  const mayChange = useMay('operator')
  const mayErase = useMay('owner')
  const [asking, setAsking] = useState<'bonus' | 'correction' | 'freeze' | 'erase' | null>(null)
  const close = () => setAsking(null)
  if (!mayChange) return null
  async function finish(text: string) {
    await reload()
    close()
    onDone(text)
  }
  return (
    <div class={styles.personActions} role="group" aria-label="Actions">
      <Button kind="secondary" onClick={() => setAsking('correction')}>
        Correct the balance
      </Button>
      <MoreMenu
        label="More"
        actions={[
          { name: 'Give a bonus', onChoose: () => setAsking('bonus') },
          {
            name: person.isActive ? 'Freeze wallet' : 'Unfreeze wallet',
            onChoose: () => setAsking('freeze'),
          },
          ...(mayErase
            ? [{ name: 'Erase person', isDestructive: true, onChoose: () => setAsking('erase') }]
            : []),
        ]}
      />
      {(asking === 'bonus' || asking === 'correction') && (
        <GrantDialog
          payee={{ ...person, personId: person.id, name: nameOf(person) }}
          isBonus={asking === 'bonus'}
          reload={reload}
          onDone={onDone}
          onClose={close}
        />
      )}
      {asking === 'freeze' && <FreezeDialog person={person} onClose={close} onDone={finish} />}
      {asking === 'erase' && (
        <EraseDialog person={person} reload={reload} onClose={close} onDone={finish} />
      )}
    </div>
  )
}
