import { AppCheck } from './check.tsx'
import type { TabProps } from './tab.ts'
import { Snippet } from '../kit/copy.tsx'
import { writeEmbed, writeEnv, writeMoneyCall, writeSessionCall } from './snippets.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'

export function AppIntegration({ app, reload }: TabProps) {
  const { clientId, allowedIframeParents } = app
  return (
    <div class={parts.partStack}>
      <AppCheck app={app} reload={reload} />
      <section class={parts.part}>
        <h2>Embed the widget</h2>
        <p class={`${base.muted} ${parts.partLead}`}>
          Without a session, the widget shows login and sign-up. Add &session= with a token from
          your backend to show the wallet.
        </p>
        <Snippet title="HTML" text={writeEmbed(clientId)} />
      </section>
      <section class={parts.part}>
        <h2>Call from your backend</h2>
        <p class={`${base.muted} ${parts.partLead}`}>
          Never put the secret into a page. Calls from a browser are refused.
        </p>
        <Snippet title="Environment (.env)" text={writeEnv(clientId)} />
        <Snippet
          title="Create a widget session"
          text={writeSessionCall(clientId, allowedIframeParents[0])}
        />
        <Snippet title="Debit" text={writeMoneyCall('debit', clientId)} />
        <Snippet title="Credit" text={writeMoneyCall('credit', clientId)} />
      </section>
    </div>
  )
}
