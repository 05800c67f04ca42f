/** The request and the response in docs/events.md are those of the service. */
import { EVENT_TYPES, readEvents } from '@coffer/contract/server/events'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { readBlocks } from '../../../scripts/read-blocks.ts'
import { untilNumbered, type FeedPage } from '../../test/events/feed-setup.ts'
import { basicOf, openSetup, type Setup } from '../../test/setup.ts'

const guide = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8')
const blocks = readBlocks(guide)
const textOf = (wanted: string) => blocks.find(({ language }) => language === wanted)?.text ?? ''

describe('docs/events.md', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  it('shows the response that the service returns', async () => {
    const [, url = ''] = /^GET (\S+)\n/.exec(textOf('http')) ?? []
    assert(url.startsWith(`${readEvents.path}?`))
    await untilNumbered(setup.harness.admin)
    const headers = basicOf(setup.app)
    const response = await setup.harness.inject({ method: 'GET', url, headers })
    const pattern = textOf('json')
      .trim()
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('[^"]+')
    assert.match(JSON.stringify(response.json<FeedPage>(), null, 2), toPattern(pattern))
  })

  it('describes every type', () => {
    for (const type of EVENT_TYPES) assert(guide.includes(`| \`${type}\` `), type)
  })
})

/** The guide writes a short object in one line. */
function toPattern(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/(\\x20|\\n|\s)+/g, String.raw`\s*`)}$`)
}
