import { AppCheck } from './check.tsx'
import type { TabProps } from './tab.ts'
import { Snippet } from '../kit/copy.tsx'
import { words } from '../messages.ts'
import { writeEmbed, writeEnv, writeMoneyCall, writeSessionCall } from './snippets.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'

export function AppIntegration({ app, reload }: TabProps) {
  const { clientId, allowedIframeParents } = app
  const texts = words.integration
  return (
    <div class={parts.partStack}>
      <AppCheck app={app} reload={reload} />
      <section class={parts.part}>
        <h2>{texts.embedTitle}</h2>
        <p class={`${base.muted} ${parts.partLead}`}>{texts.embed}</p>
        <Snippet title={texts.html} text={writeEmbed(clientId)} />
      </section>
      <section class={parts.part}>
        <h2>{texts.backendTitle}</h2>
        <p class={`${base.muted} ${parts.partLead}`}>{texts.backend}</p>
        <Snippet title={words.created.env} text={writeEnv(clientId)} />
        <Snippet title={texts.session} text={writeSessionCall(clientId, allowedIframeParents[0])} />
        <Snippet title={texts.debit} text={writeMoneyCall('debit', clientId)} />
        <Snippet title={texts.credit} text={writeMoneyCall('credit', clientId)} />
      </section>
    </div>
  )
}
