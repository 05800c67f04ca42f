/** What waits for an operator, each with a link to where it is done. */
import type { ComponentChildren } from 'preact'
import type { Overview } from '../calls.ts'
import { words } from '../messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as styles from './overview.module.css'

const texts = words.todo

export function Todo({ todo }: { todo: Overview['todo'] }) {
  const { approvals, disputes, frozenWallets, webhookApps, moreWebhookApps } = todo
  if (approvals + disputes + frozenWallets + webhookApps.length === 0) return null
  return (
    <section class={styles.todo} aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <ul>
        {approvals > 0 && <Item to={paths.approvals}>{texts.approvals(approvals)}</Item>}
        {disputes > 0 && <Item to={paths.disputes}>{texts.disputes(disputes)}</Item>}
        {frozenWallets > 0 && <Item to={paths.frozen}>{texts.frozen(frozenWallets)}</Item>}
        {webhookApps.map(({ clientId, name }) => (
          <Item key={clientId} to={paths.webhooks(clientId)}>
            {texts.webhooks(name)}
          </Item>
        ))}
        {moreWebhookApps > 0 && <li>{texts.moreWebhooks(moreWebhookApps)}</li>}
      </ul>
    </section>
  )
}

function Item({ to, children }: { to: string; children: ComponentChildren }) {
  return (
    <li>
      <Link to={to}>{children}</Link>
    </li>
  )
}
