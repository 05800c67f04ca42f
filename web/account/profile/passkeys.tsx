import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done, Notice } from '../../ui/notice.tsx'
import { PlusIcon, KeyIcon } from '../../ui/icons.tsx'
import type { Passkey } from '../calls.ts'
import { ButtonLabel } from '../form-parts.tsx'
import { usePage, type SectionProps } from '../page-context.ts'
import { AddPasskey } from './passkey-add.tsx'
import { RemovePasskey } from './passkey-remove.tsx'
import { RenamePasskey } from './passkey-rename.tsx'
import * as base from '../../ui/base.module.css'
import * as entryList from '../history/entries.module.css'
import * as parts from '../parts.module.css'
import * as styles from './settings.module.css'

const PASSKEYS_MAX = 10

export function PasskeysPart({ account, reload }: SectionProps) {
  const { messages } = usePage()
  const { passkeys, email } = account
  const blocker = useAddBlocker(passkeys.length)
  const [isAdding, setIsAdding] = useState(false)
  const [asked, setAsked] = useState<Passkey | null>(null)
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const [done, setDone] = useState('')
  async function finish(text: string) {
    await reload()
    setIsAdding(false)
    setAsked(null)
    setRenamed(null)
    setDone(text)
  }
  return (
    <>
      {done && <Done key={done} text={done} takesFocus />}
      {passkeys.length === 0 ? (
        <div class={parts.empty}>
          <p>{messages.passkeys.emptyTitle}</p>
          <p class={base.muted}>{messages.passkeys.empty}</p>
        </div>
      ) : (
        <ul class={styles.cards}>
          {passkeys.map((passkey) => (
            <PasskeyCard
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => setAsked(passkey)}
            />
          ))}
        </ul>
      )}
      {blocker ? (
        <Notice kind="info">{blocker}</Notice>
      ) : (
        <div class={styles.formEnd}>
          <Button kind="secondary" onClick={() => setIsAdding(true)}>
            <PlusIcon />
            {messages.passkeys.add}
          </Button>
        </div>
      )}
      {isAdding && <AddPasskey email={email} onClose={() => setIsAdding(false)} onDone={finish} />}
      {renamed && (
        <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} onDone={finish} />
      )}
      {asked && (
        <RemovePasskey
          email={email}
          passkey={asked}
          onClose={() => setAsked(null)}
          onDone={finish}
        />
      )}
    </>
  )
}

/** Why no passkey can be added here; '' if one can. */
function useAddBlocker(count: number): string {
  const { messages } = usePage()
  if (count >= PASSKEYS_MAX) return messages.passkeys.full
  return 'PublicKeyCredential' in window ? '' : messages.passkeys.notHere
}

interface PasskeyCardProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

function PasskeyCard({ passkey, onRename, onRemove }: PasskeyCardProps) {
  const { messages, date } = usePage()
  const { name, createdAt, lastUsedAt, copiedAt } = passkey
  return (
    <li class={styles.card}>
      <span class={entryList.entryIcon}>
        <KeyIcon />
      </span>
      <div class={styles.cardText}>
        <p class={styles.cardName} dir="auto">
          {name}
        </p>
        <p class={base.muted}>{messages.passkeys.added(date(createdAt))}</p>
        <p class={base.muted}>
          {lastUsedAt ? messages.passkeys.lastUsed(date(lastUsedAt)) : messages.passkeys.neverUsed}
        </p>
      </div>
      <div class={styles.cardButtons}>
        <Button kind="secondary" onClick={onRename}>
          <ButtonLabel
            short={messages.passkeys.rename}
            full={messages.passkeys.renameNamed(name)}
          />
        </Button>
        <Button kind="secondary" onClick={onRemove}>
          <ButtonLabel
            short={messages.passkeys.remove}
            full={messages.passkeys.removeNamed(name)}
          />
        </Button>
      </div>
      {copiedAt && <Notice kind="warning">{messages.passkeys.copied(date(copiedAt))}</Notice>}
    </li>
  )
}
