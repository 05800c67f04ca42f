import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Notice, Done } from '../../ui/notice.tsx'
import { canUsePasskeys } from '../../ui/passkeys/browser-passkeys.ts'
import { Empty, Table } from '../kit/list-parts.tsx'
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

const PASSKEYS_MAX = 10
const COLUMNS = [
  { name: 'Name' },
  { name: 'Added', isMinor: true },
  { name: 'Last used' },
  { name: 'Actions', isVisuallyHidden: true },
]

interface PasskeysProps {
  passkeys: Passkey[]
  reload: () => Promise<void>
}

export function Passkeys({ passkeys, reload }: PasskeysProps) {
  const blocker = useAddBlocker(passkeys.length)
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
          <h2>Passkeys</h2>
          <p class={`${base.muted} ${parts.partLead}`}>
            A passkey logs you in with your fingerprint, face or PIN instead of password and code.
            It does not work on fake copies of this page.
          </p>
        </div>
        {!blocker && (
          <Button kind="secondary" onClick={() => setIsAdding(true)}>
            <PlusIcon />
            Add a passkey
          </Button>
        )}
      </div>
      {done && <Done key={done} text={done} takesFocus />}
      {blocker && <Notice kind="info">{blocker}</Notice>}
      {passkeys.length === 0 && !blocker && (
        <Empty
          title="No passkeys yet"
          text="Add one for this device, your phone or a security key."
        />
      )}
      {passkeys.length > 0 && (
        <Table label="Passkeys" columns={COLUMNS}>
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
function useAddBlocker(count: number): string {
  const { data } = usePage()
  if (count >= PASSKEYS_MAX)
    return 'You have reached the maximum number of passkeys. Remove one to add another.'
  if (canUsePasskeys(data.passkeyHost)) return ''
  if (data.passkeyHost === null)
    return 'Passkeys need a domain name and https. Set ADMIN_URL or PUBLIC_URL of this service to an https URL with a domain name.'
  return location.hostname === data.passkeyHost
    ? 'This browser does not support passkeys. Use a newer browser to add one.'
    : `Passkeys work at ${data.passkeyHost}. Open this page there to add one.`
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
          aria-label={`Remove the passkey ${name}`}
          onClick={onRemove}
        >
          Remove
        </button>
      </td>
    </tr>
  )
}
