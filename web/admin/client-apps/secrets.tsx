import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done } from '../../ui/done.tsx'
import { Badge } from '../kit/badge.tsx'
import { ReplaceDialog } from './replace.tsx'
import { RevokeDialog } from './revoke.tsx'
import { RotateDialog } from './rotate.tsx'
import type { TabProps } from './tab.ts'
import type { Secret } from '../calls.ts'
import { KeyIcon } from '../kit/icons.tsx'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { useMay } from '../operator-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const { columns } = words.secrets

export function AppSecrets({ app, reload }: TabProps) {
  const mayChange = useMay('operator')
  const [revoked, setRevoked] = useState<Secret | null>(null)
  const [done, setDone] = useState('')
  const shown: Column[] = [
    { name: columns.secret },
    { name: columns.created },
    { name: columns.expires },
    { name: columns.lastUsed },
    ...(mayChange ? [{ name: columns.actions, isSilent: true }] : []),
  ]
  const live = app.secrets.filter(isLive)
  return (
    <div class={parts.part}>
      <div class={parts.partHead}>
        <p class={`${base.muted} ${parts.partLead}`}>{words.secrets.lead}</p>
        {mayChange && (
          <NewSecret app={app} reload={reload} hasTwo={live.length > 1} onDone={setDone} />
        )}
      </div>
      {done && <Done text={done} takesFocus />}
      {app.secrets.length === 0 && (
        <Empty title={words.secrets.emptyTitle} text={words.secrets.empty} />
      )}
      {app.secrets.length > 0 && (
        <Table label={words.detail.tabs.secrets} columns={shown}>
          {app.secrets.map((secret) => (
            <SecretRow
              key={secret.id}
              secret={secret}
              onRevoke={mayChange ? () => setRevoked(secret) : undefined}
            />
          ))}
        </Table>
      )}
      {revoked && (
        <RevokeDialog
          clientId={app.clientId}
          secret={revoked}
          isLast={live.length === 1}
          onClose={() => setRevoked(null)}
          onDone={async () => {
            await reload()
            setRevoked(null)
            setDone(words.secrets.revoked)
          }}
        />
      )}
    </div>
  )
}

interface NewSecretProps extends TabProps {
  hasTwo: boolean
  onDone: (text: string) => void
}

/** Two ways to a new secret: the operator sees it, or only the contacts of the app do. */
function NewSecret({ app, reload, hasTwo, onDone }: NewSecretProps) {
  const [asked, setAsked] = useState<'rotate' | 'replace' | null>(null)
  const close = () => setAsked(null)
  return (
    <div class={parts.headActions}>
      <Button kind="secondary" onClick={() => setAsked('replace')}>
        {words.replace.open}
      </Button>
      <Button kind="secondary" onClick={() => setAsked('rotate')}>
        <KeyIcon />
        {words.secrets.rotate}
      </Button>
      {asked === 'rotate' && (
        <RotateDialog app={app} reload={reload} hasTwo={hasTwo} onClose={close} />
      )}
      {asked === 'replace' && (
        <ReplaceDialog
          app={app}
          onClose={close}
          onDone={async (contacts) => {
            await reload()
            close()
            onDone(words.replace.done(contacts))
          }}
        />
      )}
    </div>
  )
}

function isLive({ expiresAt }: Secret): boolean {
  return expiresAt === null || Date.parse(expiresAt) > Date.now()
}

interface SecretRowProps {
  secret: Secret
  onRevoke: (() => void) | undefined
}

function SecretRow({ secret, onRevoke }: SecretRowProps) {
  const { id, createdAt, expiresAt, lastUsedAt } = secret
  const isCurrent = expiresAt === null
  return (
    <tr>
      <th scope="row">
        <span class={badge.badges}>
          {words.secrets.named(id)}
          {isCurrent && <Badge kind="good">{words.secrets.current}</Badge>}
          {!isCurrent && isLive(secret) && <Badge kind="warning">{words.secrets.leaving}</Badge>}
          {!isLive(secret) && <Badge>{words.secrets.expired}</Badge>}
        </span>
      </th>
      <td>
        <Time at={createdAt} />
      </td>
      <td>{isCurrent ? <span class={base.muted}>{words.never}</span> : <Time at={expiresAt} />}</td>
      <td>
        <Time at={lastUsedAt} />
      </td>
      {onRevoke && (
        <td class={table.actions}>
          {isLive(secret) && (
            <button
              class={`${button.textButton} ${parts.textDanger}`}
              type="button"
              aria-label={words.secrets.revokeNamed(id)}
              onClick={onRevoke}
            >
              {words.secrets.revoke}
            </button>
          )}
        </td>
      )}
    </tr>
  )
}
