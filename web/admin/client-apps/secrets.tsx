import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done } from '../../ui/notice.tsx'
import { Badge } from '../kit/badge.tsx'
import { ReplaceDialog } from './replace.tsx'
import { RestrictDialog } from './restrict.tsx'
import { RevokeDialog } from './revoke.tsx'
import { RotateDialog } from './rotate.tsx'
import type { TabProps } from '../kit/app-tabs.tsx'
import type { Restriction, Secret } from '../calls.ts'
import { KeyIcon } from '../../ui/icons.tsx'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { useMay } from '../operator-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

export function AppSecrets({ app, reload }: TabProps) {
  const mayChange = useMay('operator')
  const [revoked, setRevoked] = useState<Secret | null>(null)
  const [rotated, setRotated] = useState<Restriction | null>(null)
  const [done, setDone] = useState('')
  const shown: Column[] = [
    { name: 'Secret' },
    { name: 'Created' },
    { name: 'Expires' },
    { name: 'Last used' },
    ...(mayChange ? [{ name: 'Actions', isVisuallyHidden: true }] : []),
  ]
  const valid = app.secrets.filter(isValid)
  const hasTwo = (restriction: Restriction | null) =>
    valid.filter((each) => each.restriction?.name === restriction?.name).length > 1
  return (
    <div class={parts.part}>
      <div class={parts.partHead}>
        <p class={`${base.muted} ${parts.partLead}`}>
          Two secrets of the same kind can be valid at the same time, so that you can replace one
          without downtime.
        </p>
        {mayChange && (
          <NewSecret app={app} reload={reload} hasTwo={hasTwo(null)} onDone={setDone} />
        )}
      </div>
      {done && <Done text={done} takesFocus />}
      {app.secrets.length === 0 && (
        <Empty
          title="No valid secret"
          text="Every call of this app is refused. Rotate to create a new secret."
        />
      )}
      {app.secrets.length > 0 && (
        <Table label="Secrets" columns={shown}>
          {app.secrets.map((secret) => (
            <SecretRow
              key={secret.id}
              secret={secret}
              onRevoke={mayChange ? () => setRevoked(secret) : undefined}
              onRotate={setRotated}
            />
          ))}
        </Table>
      )}
      {rotated && (
        <RotateDialog
          app={app}
          reload={reload}
          restriction={rotated}
          hasTwo={hasTwo(rotated)}
          onClose={() => setRotated(null)}
        />
      )}
      {revoked && (
        <RevokeDialog
          clientId={app.clientId}
          secret={revoked}
          isLast={valid.length === 1}
          onClose={() => setRevoked(null)}
          onDone={async () => {
            await reload()
            setRevoked(null)
            setDone('The secret was revoked.')
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

/** The operator sees the new secret, which may be restricted, or only the contacts of the app do. */
function NewSecret({ app, reload, hasTwo, onDone }: NewSecretProps) {
  const [asked, setAsked] = useState<'rotate' | 'restrict' | 'replace' | null>(null)
  const close = () => setAsked(null)
  return (
    <div class={parts.headActions}>
      <Button kind="secondary" onClick={() => setAsked('replace')}>
        Replace now
      </Button>
      <Button kind="secondary" onClick={() => setAsked('restrict')}>
        New restricted secret
      </Button>
      <Button kind="secondary" onClick={() => setAsked('rotate')}>
        <KeyIcon />
        Rotate secret
      </Button>
      {asked === 'rotate' && (
        <RotateDialog
          app={app}
          reload={reload}
          restriction={null}
          hasTwo={hasTwo}
          onClose={close}
        />
      )}
      {asked === 'restrict' && <RestrictDialog app={app} reload={reload} onClose={close} />}
      {asked === 'replace' && (
        <ReplaceDialog
          app={app}
          onClose={close}
          onDone={async (contacts) => {
            await reload()
            close()
            onDone(
              `The old secrets no longer work. The link to the new one was sent to ${contacts.join(', ')}.`,
            )
          }}
        />
      )}
    </div>
  )
}

function isValid({ expiresAt }: Secret): boolean {
  return expiresAt === null || Date.parse(expiresAt) > Date.now()
}

interface SecretRowProps {
  secret: Secret
  onRevoke: (() => void) | undefined
  onRotate: (restriction: Restriction) => void
}

function SecretRow({ secret, onRevoke, onRotate }: SecretRowProps) {
  const { id, createdAt, expiresAt, lastUsedAt, restriction } = secret
  const isCurrent = expiresAt === null
  return (
    <tr>
      <th scope="row">
        <span class={badge.badges}>
          Secret {id}
          {isCurrent && <Badge kind="good">Current</Badge>}
          {!isCurrent && isValid(secret) && <Badge kind="warning">Expiring</Badge>}
          {!isValid(secret) && <Badge>Expired</Badge>}
        </span>
        {restriction && <Limits restriction={restriction} />}
      </th>
      <td>
        <Time at={createdAt} />
      </td>
      <td>{isCurrent ? <span class={base.muted}>Never</span> : <Time at={expiresAt} />}</td>
      <td>
        <Time at={lastUsedAt} />
      </td>
      {onRevoke && (
        <td class={table.actions}>
          {isCurrent && restriction && (
            <button
              class={button.textButton}
              type="button"
              aria-label={`Rotate the secret ${restriction.name}`}
              onClick={() => onRotate(restriction)}
            >
              Rotate
            </button>
          )}
          {isValid(secret) && (
            <button
              class={`${button.textButton} ${parts.textDanger}`}
              type="button"
              aria-label={`Revoke now: secret ${id}`}
              onClick={onRevoke}
            >
              Revoke now
            </button>
          )}
        </td>
      )}
    </tr>
  )
}

function Limits({ restriction: { name, scopes, networks } }: { restriction: Restriction }) {
  return (
    <span class={`${base.muted} ${parts.small} ${table.note}`}>
      {name}: {scopes.map((each) => each.replace('wallet:', '')).join(', ')},{' '}
      {networks.length > 0 ? `from ${networks.join(', ')}` : 'from anywhere'}
    </span>
  )
}
