import { useState } from 'preact/hooks'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { SecretScope } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { Choice } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import type { TabProps } from './tab.ts'
import { useRotation } from './use-rotation.tsx'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'

const texts = words.restrict
const SCOPES: readonly SecretScope[] = [
  'wallet:read',
  'wallet:debit',
  'wallet:credit',
  'wallet:refund',
  'wallet:hold',
  'webhooks:manage',
]

interface RestrictDialogProps extends TabProps {
  onClose: () => void
}

/** A new secret that can do less than the app. */
export function RestrictDialog({ app, reload, onClose }: RestrictDialogProps) {
  const { call } = usePage()
  const { clientId } = app
  const [scopes, setScopes] = useState<readonly SecretScope[]>([])
  const [outcome, take] = useRotation({ app, reload }, texts.waits, onClose)
  const taken = app.secrets.map(({ restriction }) => restriction?.name)
  const { faults, isBusy, formProps } = useForm({
    check: ({ name = '', networks = '' }) => ({
      name: taken.includes(name.trim()) ? texts.taken : isName(name.trim()) ? '' : texts.nameFault,
      scopes: scopes.length > 0 ? '' : texts.scopesFault,
      networks: readNetworks(networks).every(isNetwork) ? '' : texts.networksFault,
    }),
    send: ({ name = '', networks = '' }) => {
      const restriction = {
        name: name.trim(),
        scopes: [...scopes],
        networks: readNetworks(networks),
      }
      return call('POST /api/admin/client-apps/rotate', { clientId, overlap: '24h', restriction })
    },
    explain: (result) => explainRefusal(result),
    done: (response) => void take(response),
  })
  if (outcome) return outcome
  return (
    <Dialog key="ask" title={texts.title} isBusy={isBusy} onClose={onClose}>
      <form class={forms.form} {...formProps}>
        <p class={base.muted}>{texts.text}</p>
        {app.isInUse && <p class={base.muted}>{words.rotation.second}</p>}
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          autoComplete="off"
          error={faults['name']}
        />
        <fieldset class={forms.choices}>
          <legend>{words.scopes.label}</legend>
          {SCOPES.map((scope) => (
            <Choice
              key={scope}
              type="checkbox"
              name="scopes"
              value={scope}
              label={<code>{scope}</code>}
              text={texts.scopes[scope]}
              isChecked={scopes.includes(scope)}
              onChange={(isChecked) =>
                setScopes(
                  SCOPES.filter((each) => (each === scope ? isChecked : scopes.includes(each))),
                )
              }
            />
          ))}
        </fieldset>
        <FormFault text={faults['scopes']} />
        <Field
          name="networks"
          label={texts.networks}
          hint={texts.networksHint}
          autoComplete="off"
          error={faults['networks']}
        />
        <FormFault text={faults['form']} />
        <DialogActions cancel={words.cancel} submit={texts.submit} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function readNetworks(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

/** The service checks it exactly. */
function isNetwork(text: string): boolean {
  return /^[\da-f:.]{3,39}\/[1-9]\d{0,2}$/i.test(text)
}

function isName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,29}$/.test(text)
}
