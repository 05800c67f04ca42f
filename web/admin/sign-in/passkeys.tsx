import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Done } from '../../ui/done.tsx'
import { canUsePasskeys } from '../../ui/passkeys/browser-passkeys.ts'
import { Empty, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import type { Passkey } from '../calls.ts'
import { AddPasskey } from './passkey-add.tsx'
import { RemovePasskey } from './passkey-remove.tsx'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './own-sign-in.module.css'

const texts = words.passkeys
const PASSKEYS_MAX = 10
const COLUMNS = [
  { name: texts.columns.name },
  { name: texts.columns.created, isMinor: true },
  { name: texts.columns.lastUsed },
  { name: texts.columns.actions, isSilent: true },
]

interface PasskeysProps {
  passkeys: Passkey[]
  reload: () => Promise<void>
}

export function Passkeys({ passkeys, reload }: PasskeysProps) {
  const hindrance = useHindrance(passkeys.length)
  const [isAdding, setIsAdding] = useState(false)
  const [asked, setAsked] = useState<Passkey | null>(null)
  const [done, setDone] = useState('')
  async function finish(text: string) {
    await reload()
    setIsAdding(false)
    setAsked(null)
    setDone(text)
  }
  return (
    <section class={parts.part}>
      <div class={`${parts.partHead} ${styles.head}`}>
        <div>
          <h2>{texts.title}</h2>
          <p class={`${base.muted} ${parts.partLead}`}>{texts.lead}</p>
        </div>
        {!hindrance && (
          <Button kind="secondary" onClick={() => setIsAdding(true)}>
            <PlusIcon />
            {texts.add}
          </Button>
        )}
      </div>
      {done && <Done key={done} text={done} takesFocus />}
      {hindrance && <Notice kind="info">{hindrance}</Notice>}
      {passkeys.length === 0 && !hindrance && <Empty title={texts.emptyTitle} text={texts.empty} />}
      {passkeys.length > 0 && (
        <Table label={texts.title} columns={COLUMNS}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setAsked(passkey)} />
          ))}
        </Table>
      )}
      {isAdding && <AddPasskey onClose={() => setIsAdding(false)} onDone={finish} />}
      {asked && (
        <RemovePasskey
          passkey={asked}
          isLast={passkeys.length === 1}
          onClose={() => setAsked(null)}
          onDone={finish}
        />
      )}
    </section>
  )
}

/** Why no passkey can be added here; '' if one can. */
function useHindrance(count: number): string {
  const { data } = usePage()
  if (count >= PASSKEYS_MAX) return texts.full
  if (canUsePasskeys(data.passkeyHost)) return ''
  if (data.passkeyHost === null) return texts.nowhere
  return location.hostname === data.passkeyHost ? texts.notHere : texts.elsewhere(data.passkeyHost)
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { name, createdAt, lastUsedAt } = passkey
  return (
    <tr>
      <th scope="row">
        <span class={table.rowName} dir="auto">
          {name}
        </span>
      </th>
      <td class={table.minor}>
        <Time at={createdAt} />
      </td>
      <td>
        <Time at={lastUsedAt} />
      </td>
      <td class={table.actions}>
        <button
          class={`${button.textButton} ${parts.textDanger}`}
          type="button"
          aria-label={texts.removeNamed(name)}
          onClick={onRemove}
        >
          {texts.remove}
        </button>
      </td>
    </tr>
  )
}
