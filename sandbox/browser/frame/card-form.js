import { chooseTexts } from './choose-texts.js'
import { confirmWithCard } from './confirm-with-card.js'
import {
  brandOf,
  checkCvc,
  checkExpiry,
  checkNumber,
  digitsOf,
  formatExpiry,
  formatNumber,
} from './format-card.js'
import { applyAppearance } from './apply-appearance.js'

/** @typedef {import('./choose-texts.js').TextName} TextName */

const parentOrigin = new URLSearchParams(location.search).get('origin') ?? ''
const inputs = { number: input('number'), expiry: input('expiry'), cvc: input('cvc') }
const names = /** @type {(keyof typeof inputs)[]} */ (['number', 'expiry', 'cvc'])
let texts = chooseTexts('en')
let publishableKey = ''

/** @param {string} id */
function input(id) {
  return /** @type {HTMLInputElement} */ (document.getElementById(id))
}

/** Posts a message to the page that opened this frame only. @param {Record<string, unknown>} message */
function tell(message) {
  window.parent.postMessage(message, parentOrigin)
}

/** @param {keyof typeof inputs} name @returns {TextName | null} */
function faultOf(name) {
  const { value } = inputs[name]
  if (name === 'number') return checkNumber(value)
  return name === 'expiry' ? checkExpiry(value, new Date()) : checkCvc(value, inputs.number.value)
}

/** @param {keyof typeof inputs} name @param {TextName | null} fault */
function showFault(name, fault) {
  inputs[name].setAttribute('aria-invalid', String(fault !== null))
  const place = document.getElementById(`${name}-error`)
  if (place !== null) place.textContent = fault === null ? '' : texts[fault]
}

/** All faults, shown; the first one gets the focus. */
function validate() {
  const faults = names.map((name) => ({ name, fault: faultOf(name) }))
  for (const { name, fault } of faults) showFault(name, fault)
  const first = faults.find(({ fault }) => fault !== null)
  if (first === undefined || first.fault === null) return null
  inputs[first.name].focus()
  const code = first.fault
  return { error: { type: 'validation_error', code, message: texts[code] } }
}

function showBrand() {
  const digits = digitsOf(inputs.number.value)
  const { name, cvc } = brandOf(digits)
  const drawn = ['visa', 'mastercard', 'amex'].includes(name) ? name : 'other'
  for (const svg of document.querySelectorAll('[data-brand]')) {
    const brand = svg.getAttribute('data-brand')
    const isShown = digits === '' ? brand !== 'other' : brand === drawn
    svg.toggleAttribute('hidden', !isShown)
  }
  inputs.cvc.maxLength = cvc
}

function tellChange() {
  const complete = names.every((name) => faultOf(name) === null)
  const empty = names.every((name) => inputs[name].value === '')
  tell({ type: 'change', complete, empty, collapsed: false, value: { type: 'card' } })
}

/** Formats while typing and keeps the cursor behind the same digit. @param {HTMLInputElement} field @param {(text: string) => string} format */
function reformat(field, format) {
  const digitsBefore = digitsOf(field.value.slice(0, field.selectionStart ?? 0)).length
  const isAtEnd = field.selectionStart === field.value.length
  field.value = format(field.value)
  if (isAtEnd) return
  let position = 0
  for (let seen = 0; seen < digitsBefore && position < field.value.length; position += 1) {
    if (/\d/.test(field.value.charAt(position))) seen += 1
  }
  field.setSelectionRange(position, position)
}

/** @param {keyof typeof inputs} name @param {Event} event */
function onInput(name, event) {
  const isDeletion = event instanceof InputEvent && event.inputType.startsWith('delete')
  if (name === 'number') reformat(inputs.number, formatNumber)
  if (name === 'expiry' && !isDeletion) reformat(inputs.expiry, formatExpiry)
  if (name === 'cvc') inputs.cvc.value = digitsOf(inputs.cvc.value)
  showBrand()
  const isWrong = name === 'number' && checkNumber(inputs.number.value) === 'invalid_number'
  showFault(name, isWrong ? 'invalid_number' : null)
  tellChange()
  const next = names[names.indexOf(name) + 1]
  const isTyped = event instanceof InputEvent && event.inputType === 'insertText'
  if (isTyped && next !== undefined && faultOf(name) === null) inputs[next].focus()
}

/** @param {string} card */
function fillIn(card) {
  inputs.number.value = formatNumber(card)
  inputs.expiry.value = `12 / ${String(new Date().getFullYear() + 2).slice(-2)}`
  inputs.cvc.value = '123'
  for (const name of names) showFault(name, null)
  showBrand()
  tellChange()
}

/** @param {Record<string, any>} setup */
function setUp(setup) {
  publishableKey = setup['publishableKey']
  texts = chooseTexts(setup['locale'] ?? 'en')
  document.documentElement.lang = setup['locale'] ?? 'en'
  applyAppearance(setup['appearance'] ?? {})
  for (const element of document.querySelectorAll('[data-text]')) {
    element.textContent = texts[/** @type {TextName} */ (element.getAttribute('data-text'))]
  }
  for (const element of document.querySelectorAll('[data-hint]')) {
    const hint = texts[/** @type {TextName} */ (element.getAttribute('data-hint'))]
    element.setAttribute('placeholder', hint)
  }
  document.getElementById('form')?.setAttribute('aria-label', texts.form)
  showBrand()
  tellHeight()
  tell({ type: 'ready' })
}

function tellHeight() {
  tell({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) })
}

/** @param {MessageEvent} event */
async function receive(event) {
  if (event.origin !== parentOrigin || event.source !== window.parent) return
  const { type, question, ...detail } = event.data
  if (type === 'setup') setUp(detail)
  if (type === 'focus') inputs.number.focus()
  if (type === 'clear') for (const name of names) inputs[name].value = ''
  if (type === 'submit') tell({ type: 'answer', question, answer: validate() ?? {} })
  if (type !== 'confirm') return
  const card = {
    number: digitsOf(inputs.number.value),
    expiry: digitsOf(inputs.expiry.value),
    cvc: inputs.cvc.value,
  }
  const answer = validate() ?? (await confirmWithCard(publishableKey, card, detail))
  tell({ type: 'answer', question, answer })
}

for (const name of names) {
  inputs[name].addEventListener('input', (event) => onInput(name, event))
  inputs[name].addEventListener('focus', () => tell({ type: 'focus' }))
  inputs[name].addEventListener('blur', () => {
    if (inputs[name].value !== '') showFault(name, faultOf(name))
    tell({ type: 'blur' })
  })
}
for (const button of document.querySelectorAll('[data-card]')) {
  button.addEventListener('click', () => fillIn(button.getAttribute('data-card') ?? ''))
}
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') tell({ type: 'escape' })
})
document.getElementById('form')?.addEventListener('submit', (event) => event.preventDefault())
window.addEventListener('message', (event) => void receive(event))
new ResizeObserver(tellHeight).observe(document.body)
tell({ type: 'hello' })
