import type pg from 'pg'
import { recordAction } from '../admin/record-action.ts'
import { COMMAND_LINE } from './operator.ts'

/** Records what a command does to a subject. */
export function record(tx: pg.ClientBase, action: string, subject: string, after: object) {
  return recordAction(tx, COMMAND_LINE, { action, subject, after })
}
