import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mailsDe } from './messages-de.ts'
import { mailsEn } from './messages-en.ts'
import { renderHtml } from './render-html.ts'

const { appLinked, resetLink, topupReceipt, verificationCode } = mailsEn

const LINK = 'https://wallet.example/account#reset?ticket=a&b="c'

describe('the HTML of an email', () => {
  it('has its subject and its paragraphs, with lines as they are', () => {
    const paid = { amount: '$25.00', paidAt: '15 Nov 2026', paymentId: 'pi_1' }
    const html = renderHtml(topupReceipt(paid, 'https://wallet.example/account'))
    assert.match(html, /<h1>Receipt: money was added to your wallet<\/h1>/)
    assert.match(html, /<p>\$25\.00 was added to your wallet by card\.<\/p>/)
    assert.match(html, /<p>Time: 15 Nov 2026<br>Payment: pi_1<\/p>/)
  })

  it('shows a code large, and a link with its whole address', () => {
    assert.match(renderHtml(verificationCode('012345')), /<p class="code">012345<\/p>/)
    const address = LINK.replace('&', '&#38;').replace('"', '&#34;')
    const html = renderHtml(resetLink(LINK))
    assert(html.includes(`<p><a href="${address}">${address}</a></p>`), html)
  })

  it('has no markup of others', () => {
    const html = renderHtml(appLinked('<img src="https://evil.example">', undefined))
    assert(!html.includes('<img'))
    assert.match(html, /&#60;img src=&#34;https:\/\/evil\.example&#34;&#62; was connected/)
    assert.doesNotMatch(renderHtml(appLinked('https://evil.example', undefined)), /<a /)
  })

  it('names its language', () => {
    assert.match(renderHtml(resetLink(LINK)), /<html lang="en">/)
    assert.match(renderHtml(mailsDe.resetLink(LINK)), /<html lang="de">/)
    assert.match(renderHtml({ subject: 'Hello', text: 'Hello' }), /<html lang="en">/)
  })

  it('loads nothing', () => {
    assert.doesNotMatch(renderHtml(resetLink(LINK)), /<(script|img|link|iframe)|@import|url\(/)
  })
})
