import { openFrame } from './open-frame.js'

/**
 * @typedef {import('./call-api.js').Outcome} Outcome
 * @typedef {import('./open-frame.js').Frame} Frame
 * @typedef {import('./open-frame.js').Message} Message
 * @typedef {{ theme?: string, variables?: Record<string, string> }} Appearance
 * @typedef {{ publishableKey: string, clientSecret?: string, appearance: Appearance, locale: string }} Setup
 */

/**
 * The Payment Element. The card form lives in a frame of the sandbox's origin, so that no card
 * number ever enters the page.
 * @param {Setup} setup
 */
export function createPaymentElement(setup) {
  const listeners = createListeners()
  /** @type {Frame | null} */
  let frame = null
  /** @type {Map<number, (answer: Outcome) => void>} */
  const waiting = new Map()
  let questions = 0

  /** @param {Message} message */
  function receive(message) {
    if (message.type === 'hello') frame?.post({ type: 'setup', ...setup })
    if (message.type === 'height' && frame !== null) {
      frame.element.style.height = `${Number(message['height'])}px`
    }
    if (message.type === 'ready' && frame !== null) frame.element.style.opacity = '1'
    if (message.type === 'answer') {
      waiting.get(Number(message['question']))?.(/** @type {Outcome} */ (message['answer']))
      waiting.delete(Number(message['question']))
    }
    if (['ready', 'change', 'focus', 'blur', 'escape'].includes(message.type)) {
      const { type, ...detail } = message
      listeners.tell(type, { elementType: 'payment', ...detail })
    }
  }

  /**
   * @param {'submit' | 'confirm'} type
   * @param {Record<string, unknown>} [detail]
   * @returns {Promise<Outcome>}
   */
  function ask(type, detail = {}) {
    if (frame === null) throw new Error('The Payment Element is not mounted.')
    questions += 1
    const question = questions
    frame.post({ type, question, ...detail })
    return new Promise((resolve) => waiting.set(question, resolve))
  }

  const element = {
    ...listeners.methods,
    /** @param {string | HTMLElement} target */
    mount(target) {
      const host = typeof target === 'string' ? document.querySelector(target) : target
      if (host === null) throw new Error('The selector you specified does not exist.')
      element.unmount()
      frame = openFrame(
        '/sandbox/elements/payment',
        'Secure payment input frame',
        frameStyle(setup),
        receive,
      )
      frame.element.addEventListener('error', () => listeners.tell('loaderror', {}))
      host.replaceChildren(frame.element)
    },
    unmount() {
      frame?.remove()
      frame = null
    },
    destroy: () => element.unmount(),
    /** @param {{ appearance?: Appearance, locale?: string }} [options] */
    update(options = {}) {
      Object.assign(setup, options)
      frame?.post({ type: 'setup', ...setup })
    },
    focus() {
      frame?.element.focus()
      frame?.post({ type: 'focus' })
    },
    blur: () => frame?.element.blur(),
    clear: () => frame?.post({ type: 'clear' }),
    collapse() {},
  }
  return { element, ask }
}

/** The frame is a little larger than its place, so that focus rings are not cut off.
 * @param {Setup} setup */
function frameStyle({ appearance }) {
  return {
    width: 'calc(100% + 8px)',
    margin: '-4px',
    height: '0',
    opacity: '0',
    transition: 'opacity 150ms',
    colorScheme: appearance.theme === 'night' ? 'dark' : 'light',
  }
}

function createListeners() {
  /** @type {Map<string, Set<(event: unknown) => void>>} */
  const known = new Map()
  const methods = {
    /** @param {string} type @param {(event: unknown) => void} listener */
    on(type, listener) {
      known.set(type, (known.get(type) ?? new Set()).add(listener))
      return this
    },
    /** @param {string} type @param {(event: unknown) => void} listener */
    once(type, listener) {
      /** @param {unknown} event */
      const first = (event) => {
        methods.off(type, first)
        listener(event)
      }
      return this.on(type, first)
    },
    /** @param {string} type @param {(event: unknown) => void} [listener] */
    off(type, listener) {
      if (listener === undefined) known.delete(type)
      else known.get(type)?.delete(listener)
      return this
    },
  }
  return {
    methods,
    /** @param {string} type @param {unknown} event */
    tell(type, event) {
      for (const listener of known.get(type) ?? []) listener(event)
    },
  }
}
