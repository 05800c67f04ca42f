import { AppCheck } from './check.tsx'
import type { TabProps } from './tab.ts'
import { Snippet } from '../kit/copy.tsx'
import { words } from '../messages.ts'
import { writeEmbed, writeEnv, writeMoneyCall, writeSessionCall } from './snippets.ts'

export function AppIntegration({ app, reload }: TabProps) {
  const { clientId, allowedIframeParents } = app
  const texts = words.integration
  return (
    <div class="part-stack">
      <AppCheck app={app} reload={reload} />
      <section class="part">
        <h2>{texts.embedTitle}</h2>
        <p class="muted part-lead">{texts.embed}</p>
        <Snippet title={texts.html} text={writeEmbed(clientId)} />
      </section>
      <section class="part">
        <h2>{texts.backendTitle}</h2>
        <p class="muted part-lead">{texts.backend}</p>
        <Snippet title={words.created.env} text={writeEnv(clientId)} />
        <Snippet title={texts.session} text={writeSessionCall(clientId, allowedIframeParents[0])} />
        <Snippet title={texts.debit} text={writeMoneyCall('debit', clientId)} />
        <Snippet title={texts.credit} text={writeMoneyCall('credit', clientId)} />
      </section>
    </div>
  )
}
