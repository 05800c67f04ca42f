/** What waits for an operator, each with a link to where it is done. */
import type { ComponentChildren } from 'preact'
import type { Overview } from '../calls.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as styles from './overview.module.css'

export function Todo({ todo }: { todo: Overview['todo'] }) {
  const { approvals, disputes, frozenWallets, webhookApps, moreWebhookApps } = todo
  if (approvals + disputes + frozenWallets + webhookApps.length === 0) return null
  return (
    <section class={styles.todo} aria-label="To do">
      <h2>To do</h2>
      <ul>
        {approvals > 0 && <Item to={paths.approvals}>{countApprovals(approvals)}</Item>}
        {disputes > 0 && <Item to={paths.disputes}>{countDisputes(disputes)}</Item>}
        {frozenWallets > 0 && <Item to={paths.frozen}>{countFrozenWallets(frozenWallets)}</Item>}
        {webhookApps.map(({ clientId, name }) => (
          <Item key={clientId} to={paths.webhooks(clientId)}>
            Webhooks of {name} need attention
          </Item>
        ))}
        {moreWebhookApps > 0 && (
          <li>
            So do webhooks of {moreWebhookApps.toLocaleString('en')} more{' '}
            {moreWebhookApps === 1 ? 'app' : 'apps'}.
          </li>
        )}
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

function countApprovals(count: number): string {
  return count === 1
    ? '1 approval is waiting'
    : `${count.toLocaleString('en')} approvals are waiting`
}

function countDisputes(count: number): string {
  return count === 1
    ? '1 dispute needs a response'
    : `${count.toLocaleString('en')} disputes need a response`
}

function countFrozenWallets(count: number): string {
  return count === 1 ? '1 wallet is frozen' : `${count.toLocaleString('en')} wallets are frozen`
}
