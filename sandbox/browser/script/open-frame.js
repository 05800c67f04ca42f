import { ORIGIN } from './sandbox-origin.js'

/**
 * @typedef {{ type: string, [field: string]: unknown }} Message
 * @typedef {{ element: HTMLIFrameElement, post: (message: Message) => void, remove: () => void }} Frame
 */

/**
 * A frame of the sandbox's own origin. Styles are set through the CSSOM, which a strict
 * content security policy of the page allows.
 * @param {string} address
 * @param {string} title
 * @param {Partial<CSSStyleDeclaration>} style
 * @param {(message: Message) => void} receive
 * @returns {Frame}
 */
export function openFrame(address, title, style, receive) {
  const element = document.createElement('iframe')
  const url = new URL(address, ORIGIN)
  url.searchParams.set('origin', location.origin)
  element.src = url.href
  element.title = title
  Object.assign(element.style, { border: '0', display: 'block' }, style)

  /** @param {MessageEvent} event */
  function listen(event) {
    if (event.origin !== ORIGIN || event.source !== element.contentWindow) return
    receive(event.data)
  }
  window.addEventListener('message', listen)

  return {
    element,
    post: (message) => element.contentWindow?.postMessage(message, ORIGIN),
    remove() {
      window.removeEventListener('message', listen)
      element.remove()
    },
  }
}
