import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findFreePorts } from './find-free-ports.ts'
import { startInbox } from './start-inbox.ts'

describe('the inbox of the demo', () => {
  it('shows every email as text, newest first, with links', async () => {
    const [port = 0] = await findFreePorts(1)
    const { url, mailer, close } = await startInbox(port)
    const read = async () => (await fetch(url)).text()
    assert.match(await read(), /No emails yet/)
    mailer.send('ada@example.com', { subject: 'First', text: '123456' })
    const text = 'Open\nhttp://localhost/account#reset?ticket=a&b\n<script>'
    mailer.send('<i>@example.com', { subject: 'Second & last', text })
    const page = await read()
    assert(page.indexOf('Second &amp; last') < page.indexOf('First'))
    assert.match(page, /123456/)
    assert.match(page, /<a href="http:\/\/localhost\/account#reset\?ticket=a&amp;b">/)
    assert.doesNotMatch(page, /<script>|<i>/)
    await close()
  })
})
