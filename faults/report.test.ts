import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { REPLICATED_FAULTS, type AuditReport } from './audit.ts'
import { Findings } from './check/findings.ts'
import type { FaultGap } from './check/measure-gaps.ts'
import { goalOf, toJson, toMarkdown } from './report.ts'

function faultOf(kind: string, gapMs: number, more: Partial<FaultGap> = {}): FaultGap {
  return { kind, track: 'ledger', startMs: 0, endMs: 1, failovers: 0, gapMs, ...more }
}

function reportOf(more: Partial<AuditReport>): AuditReport {
  return {
    seed: 7,
    events: 40,
    database: 'three PostgreSQL',
    balancer: 'HAProxy',
    machine: { cores: 2, load: 1 },
    tally: {
      requests: 20,
      definite: 10,
      responses: { '200 posted': 10 },
      pairs: 10,
      operations: 10,
      refusals: 0,
      refusedDebitShare: 0,
      topups: { started: 0, paid: 0 },
      disputes: 0,
      refunds: 0,
      serviceStarts: 2,
    },
    faults: [],
    doubts: 0,
    seconds: { prepare: 1, load: 1, resolve: 1, check: 1 },
    slowestCreditSeconds: 0,
    errors: new Map(),
    goal: { operations: 10, ledgerFaults: 0, processorFaults: 0, failovers: 0 },
    findings: new Findings(),
    ...more,
  }
}

describe('the report', () => {
  it('shows the longest gap of each kind, its failovers and whether the goal was met', () => {
    const faults = [
      faultOf('planned switchover', 3_000, { failovers: 1 }),
      faultOf('planned switchover', 5_100, { failovers: 1 }),
      faultOf('service killed', 900),
      faultOf('wallet frozen', 100),
    ]
    const text = toMarkdown(reportOf({ faults }))
    assert.match(text, /^\| planned switchover \| 2 \| 2 \| 5\.10 s \| 5 s, missed \|$/m)
    assert.match(text, /^\| service killed \| 1 \|  \| 0\.90 s \| 2 s \|$/m)
    assert.match(text, /^\| wallet frozen \| 1 \|  \| 0\.10 s \|  \|$/m)
    assert.match(text, /^\| failovers \| 2 \|$/m)
  })

  it('lists the goals that were not reached, if any', () => {
    const goal = { operations: 11, ledgerFaults: 1, processorFaults: 0, failovers: 1 }
    const failed = faultOf('service killed', 0, { failure: 'no service' })
    assert.match(
      toMarkdown(reportOf({ goal, faults: [failed] })),
      /The time limit ended the run early: 10 of 11 definite responses, 0 of 1 faults, 0 of 1 failovers\./,
    )
    assert.doesNotMatch(toMarkdown(reportOf({})), /ended the run early/)
  })

  it('is FAILED if there is a violation, as Markdown and as JSON', () => {
    const findings = new Findings()
    findings.add(1, 'debit r-1 is gone')
    const report = reportOf({ findings })
    assert.match(toMarkdown(report), /FAILED[^]*- debit r-1 is gone/)
    assert.equal((JSON.parse(toJson(report)) as { isSound: boolean }).isSound, false)
  })

  it('has a goal for every fault that ends a process or the primary', () => {
    const goals = Object.keys(REPLICATED_FAULTS).map((kind) => goalOf(kind))
    for (const seconds of [2, 5, 30]) assert(goals.includes(seconds))
    assert.equal(goalOf('all services killed'), 2)
    assert.equal(goalOf('primary killed, and its Patroni'), 30)
    assert.equal(goalOf('synchronous standby killed'), undefined)
  })
})
