import { InvalidArgumentError, type Command } from 'commander'
import { formatAmount, parseAmount } from '@coffer/contract/money'
import { randomUUID } from 'node:crypto'
import { recordAction } from '../admin/record-action.ts'
import { createProcessor } from '../processor/stripe.ts'
import { reconcile } from '../topup/reconcile.ts'
import { refundTopup } from '../topup/refund-topup.ts'
import type { TopupTools } from '../topup/topup-tools.ts'
import { createLog } from '../http/create-log.ts'
import { COMMAND_LINE } from './operator.ts'
import { count, print, summarize, withMoney, type Tools } from './with-service.ts'

export function addTopupCommands(program: Command) {
  program
    .command('reconcile')
    .description("compare the card processor's payments with the ledger, in both directions")
    .requiredOption('--from <date>', 'first day, such as 2026-01-31 (UTC)', parseDay)
    .option('--to <date>', 'the day after the last one; default: now', parseDay)
    .option('--credit-missing', 'credit payments that are missing in the ledger')
    .action(
      ({ from, to, creditMissing = false }: { from: Date; to?: Date; creditMissing?: boolean }) =>
        withMoney(async (tools) => {
          const period = { from, to: to ?? new Date() }
          const topups = await toTopupTools(tools)
          // Written before the first payment is credited: the ledger credits each one in its own transaction.
          const action = { action: 'topup.credit_missing', after: period }
          if (creditMissing) await recordAction(tools.db, COMMAND_LINE, action)
          await report(tools, await reconcile(topups, period, { creditMissing }))
        }),
    )
  program
    .command('refund <topupId> <amount>')
    .description('refund a top-up, or a part of it, to the card')
    .action((topupId: string, amount: string) =>
      withMoney(async (tools) => {
        const amountMinor = parseAmount(amount, tools.config.currency)
        if (!amountMinor) throw new InvalidArgumentError('The amount must be a number such as 10.')
        const refundId = randomUUID()
        const after = { refundId, amount: formatAmount(amountMinor, tools.config.currency) }
        const action = { action: 'topup.refund', subject: topupId, after }
        const topups = await toTopupTools(tools)
        const { id, status } = await refundTopup(topups, topupId, amountMinor, {
          id: refundId,
          onStart: (tx) => recordAction(tx, COMMAND_LINE, action),
        })
        print(`Refund ${id} is ${status}.`)
      }),
    )
}

async function report({ config }: Tools, found: Awaited<ReturnType<typeof reconcile>>) {
  const { paid, paidMinor, differences } = found
  for (const { intentId, what, isCredited } of differences) {
    print(`${intentId}  ${what}${isCredited ? ' (credited now)' : ''}`)
  }
  const agreed = `${paid} payments agree, ${formatAmount(paidMinor, config.currency)} ${config.currency.code}.`
  print(agreed)
  const open = differences.filter(({ isCredited }) => !isCredited).length
  await summarize(open === 0 ? agreed : `${count(open, 'difference')}. ${agreed}`)
  if (open === 0) return
  print(
    `Differences: ${open}. Check each one. --credit-missing credits payments that are missing in the ledger.`,
  )
  process.exitCode = 1
}

async function toTopupTools(tools: Tools): Promise<TopupTools> {
  const processor = await createProcessor(tools.config.stripe)
  if (processor === undefined) {
    throw new Error('No card processor is configured. Set the three STRIPE_ keys.')
  }
  return { ...tools, processor, log: createLog('warn'), reportedBy: 'command' }
}

function parseDay(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime())) {
    throw new InvalidArgumentError('Write the day as 2026-01-31.')
  }
  return day
}
