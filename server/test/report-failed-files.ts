import type { TestEvent } from 'node:test/reporters'
import { relative } from 'node:path'

/** A reporter of the test runner that prints the files with failed tests, one for each failed test. */
export default async function* reportFailedFiles(events: AsyncIterable<TestEvent>) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.todo !== undefined) continue
    yield `${relative('', data.file ?? data.name)}\n`
  }
}
