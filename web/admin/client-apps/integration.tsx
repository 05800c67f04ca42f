import { AppCheck } from './check.tsx'
import type { TabProps } from '../kit/app-tabs.tsx'
import { WindowLink } from '../../ui/button.tsx'
import { Snippet } from '../kit/copy.tsx'
import { readServiceUrl } from './read-service-url.ts'
import { writeBackend, writeEnv, writePage, writePayment } from './snippets.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'

export function AppIntegration({ app, reload }: TabProps) {
  const { clientId, allowedIframeParents } = app
  const serviceUrl = readServiceUrl()
  const docs = `${serviceUrl}/docs`
  const lead = `${base.muted} ${parts.partLead}`
  return (
    <div class={parts.partStack}>
      <AppCheck app={app} reload={reload} />
      <section class={parts.part}>
        <h2>Embed the widget</h2>
        <p class={lead}>
          With the package @coffer/embed. It shows the login until your user has linked a wallet,
          then the wallet. <WindowLink href={`${docs}/integration`}>Integration guide</WindowLink>
        </p>
        <Snippet title="Page" text={writePage(serviceUrl, clientId)} />
      </section>
      <section class={parts.part}>
        <h2>Call from your backend</h2>
        <p class={lead}>
          With the package @coffer/sdk. Never put the secret into a page: calls from a browser are
          refused. <WindowLink href={`${docs}/other-languages`}>Other languages</WindowLink>
        </p>
        <Snippet title="Environment (.env)" text={writeEnv(serviceUrl, clientId)} />
        <Snippet title="Routes for the widget" text={writeBackend(allowedIframeParents[0])} />
        <Snippet title="Debit and refund" text={writePayment()} />
      </section>
    </div>
  )
}
