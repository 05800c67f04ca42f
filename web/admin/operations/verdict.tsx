/** The result in one sentence. */
import type { ComponentChildren } from 'preact'
import { AlertIcon, CheckIcon, InfoIcon } from '../../ui/icons.tsx'
import type { FoundOperation } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-utc.ts'
import { nameOfPerson } from '../kit/person-link.tsx'
import { judgeCharge } from './judge-charge.ts'
import * as styles from './operations.module.css'

const texts = words.verdict

export function OperationVerdict({ found }: { found: FoundOperation }) {
  const { money } = usePage()
  const { decision, currency, clientApp } = found
  if (!decision) {
    return (
      <Verdict kind="none" icon={<InfoIcon />} title={texts.never}>
        <p>{clientApp ? texts.neverApp : texts.neverService}</p>
      </Verdict>
    )
  }
  const when = texts.when(
    found.referenceId,
    words.recent.at(formatUtc(decision.decidedAt)),
    nameOfPerson(decision.person),
  )
  if (decision.code !== null) {
    const reasons: Record<string, string> = texts.reasons
    return (
      <Verdict kind="bad" icon={<AlertIcon />} title={texts.refused(decision.code)}>
        <p>{when}</p>
        <p>
          {reasons[decision.code]} {texts.refusedHint}
        </p>
        <Attempts found={found} />
      </Verdict>
    )
  }
  const format = (amount: number) => money.plain(amount, currency)
  const { kind, title } = judgeCharge(decision, found.similar, format)
  return (
    <Verdict kind={kind} icon={ICONS[kind]} title={title}>
      <p>{when}</p>
      {decision.debt > 0 && <p>{texts.debt(money.plain(decision.debt, currency))}</p>}
      <Attempts found={found} />
      <Similar found={found} format={format} />
      {kind === 'warning' && <p>{texts.severalHint}</p>}
    </Verdict>
  )
}

/** Answers "I was charged twice": a second charge has another reference. */
function Similar({ found, format }: { found: FoundOperation; format: (amount: number) => string }) {
  const { clientApp, decision, similar } = found
  if (decision?.kind !== 'debit' || !clientApp) return null
  const amount = format(decision.amount)
  if (similar.length === 0) return <p>{texts.noSimilar(clientApp.name, amount)}</p>
  const describe = (refunded: number) => {
    if (refunded === 0) return undefined
    return refunded < decision.amount ? texts.refundedPart(format(refunded)) : texts.refundedAll
  }
  const own = describe(decision.refunded)
  return (
    <>
      {own && <p>{texts.thisCharge(own)}</p>}
      <p>{texts.similar(similar.length, clientApp.name, amount)}</p>
      <ul class={styles.similar}>
        {similar.map(({ referenceType, referenceId, description, refunded, createdAt }) => (
          <li key={`${referenceType} ${referenceId}`} dir="auto">
            <Link to={paths.operation(clientApp.clientId, referenceType, referenceId)}>
              {texts.reference(referenceId)}
            </Link>{' '}
            {[words.recent.at(formatUtc(createdAt)), describe(refunded), description]
              .filter(Boolean)
              .join(' · ')}
          </li>
        ))}
      </ul>
    </>
  )
}

function Attempts({ found: { attempts, hasMoreAttempts } }: { found: FoundOperation }) {
  if (attempts.length === 0) return null
  const isAboutAmount = attempts.every(({ differs }) => differs.join() === 'amount')
  return <p>{texts.attempts(attempts.length, hasMoreAttempts, isAboutAmount)}</p>
}

const COLORS = {
  good: styles.verdictGood,
  warning: styles.verdictWarning,
  bad: styles.verdictBad,
  none: '',
}
const ICONS = { good: <CheckIcon />, warning: <AlertIcon />, none: <InfoIcon /> }

interface VerdictProps {
  kind: keyof typeof COLORS
  icon: ComponentChildren
  title: string
  children: ComponentChildren
}

function Verdict({ kind, icon, title, children }: VerdictProps) {
  return (
    <div class={`${styles.verdict} ${COLORS[kind]}`} role="status">
      <span class={styles.verdictIcon}>{icon}</span>
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </div>
  )
}
