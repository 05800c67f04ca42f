/** Shows and changes what an app may take. */
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { explainRefusal } from '../../ui/explain-refusal.ts'
import { FormFault } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import { createAmountText, isAmount } from '../amount-text.ts'
import type { Account } from '../calls.ts'
import { OptionalField } from '../optional-field.tsx'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as settings from '../profile/settings.module.css'
import * as styles from './limits.module.css'

type App = Account['apps'][number]
type AmountName = 'singleMax' | 'dayMax' | 'weekMax' | 'monthMax'

const AMOUNTS: readonly AmountName[] = ['singleMax', 'dayMax', 'weekMax', 'monthMax']

interface LimitSummaryProps {
  app: App
  currency: string
}

/** The limits of an app, and how much of them is used. */
export function LimitSummary({ app: { limit }, currency }: LimitSummaryProps) {
  const { words, money, day } = usePage()
  if (limit === null) return null
  const texts = words.limits
  const show = (amount: number) => money.plain(amount, currency)
  const { singleMax, dayMax, weekMax, monthMax, lastDay } = limit
  const lines = [
    singleMax !== null && texts.shownSingle(show(singleMax)),
    dayMax !== null && texts.shownDay(show(limit.daySpent), show(dayMax)),
    weekMax !== null && texts.shownWeek(show(limit.weekSpent), show(weekMax)),
    monthMax !== null && texts.shownMonth(show(limit.monthSpent), show(monthMax)),
    // Without a zone, it is a time of this browser's zone.
    lastDay !== null && texts.shownLastDay(day.date(`${lastDay}T12:00`)),
  ].filter((line) => line !== false)
  return (
    <ul class={styles.summary}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

interface LimitsDialogProps {
  app: App
  onClose: () => void
  /** Whether the app has a limit now. */
  onDone: (isLimited: boolean) => Promise<void>
}

export function LimitsDialog({ app, onClose, onDone }: LimitsDialogProps) {
  const { words, calls, locales } = usePage()
  const texts = words.limits
  const { limit, clientId } = app
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  const { read, write } = createAmountText(locales)
  let isLimited = false
  const { faults, isBusy, formProps } = useForm({
    check: (values) =>
      Object.fromEntries(
        AMOUNTS.map((name) => {
          const text = read(values[name])
          return [name, text === '' || isAmount(text) ? '' : texts.amountFault]
        }),
      ),
    send: (values) => {
      const given = [
        ...AMOUNTS.map((name) => [name, read(values[name])]),
        ['lastDay', values['lastDay'] ?? ''],
      ].filter(([, text]) => text !== '')
      isLimited = given.length > 0
      return calls.setSpendLimit({ clientId, timeZone, ...Object.fromEntries(given) })
    },
    explain: (result) => {
      const { amountFault, dayFault: lastDay } = texts
      const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, amountFault]))
      const refused = { ...words.refused, ...amounts, lastDay }
      return explainRefusal(result, { ...words, refused }, [...AMOUNTS, 'lastDay'])
    },
    done: () => void onDone(isLimited),
  })
  const labels = [texts.single, texts.day, texts.week, texts.month]
  return (
    <Dialog title={texts.title(app.name)} isBusy={isBusy} onClose={onClose}>
      <p>{texts.lead}</p>
      <form class={settings.form} {...formProps}>
        <FormFault text={faults['form']} />
        <div class={settings.pair}>
          {AMOUNTS.map((name, index) => (
            <OptionalField
              key={name}
              name={name}
              label={labels[index] ?? ''}
              value={write(limit?.[name] ?? null)}
              error={faults[name]}
            />
          ))}
        </div>
        <OptionalField
          name="lastDay"
          isDay
          label={texts.lastDay}
          value={limit?.lastDay ?? ''}
          hint={texts.lastDayHint}
          error={faults['lastDay']}
        />
        <p class={base.muted}>{texts.zone(timeZone)}</p>
        <DialogActions cancel={words.cancel} submit={words.save} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
