/** Searches the documentation. The index is a script of our own, loaded when a reader first uses the field. */
const RESULTS_MAX = 8
const SNIPPET_LENGTH = 140
const INDEX_URL = new URL('search-index.js', document.currentScript.src).href

const form = document.querySelector('form.search')
const field = form?.querySelector('input')
const panel = form?.querySelector('.results')
const status = form?.querySelector('[role="status"]')
let index

/** The only policy that the page allows, and the only script that it adds. */
const policy = globalThis.trustedTypes?.createPolicy('coffer-docs', {
  createScriptURL: () => INDEX_URL,
})

function loadIndex() {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = policy?.createScriptURL('') ?? INDEX_URL
    script.addEventListener('load', () => resolve(globalThis.searchIndex))
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error('The search index did not load'))
    })
    document.head.append(script)
  })
  return index
}

/** Higher is better; 0 if a term occurs nowhere in the section. */
function score({ page, heading, text, rank }, terms) {
  const title = ` ${page.toLowerCase()}`
  const subtitle = ` ${heading.toLowerCase()}`
  const body = ` ${text.toLowerCase()}`
  let sum = 0
  for (const term of terms) {
    const inTitle = title.includes(term) ? (heading ? 4 : 12) : 0
    const inHeading = subtitle.includes(term) ? 8 : 0
    const inBody = body.includes(` ${term}`) ? 3 : body.includes(term) ? 1 : 0
    if (inTitle + inHeading + inBody === 0) return 0
    sum += inTitle + inHeading + inBody
  }
  return sum / (1 + rank)
}

function find(entries, terms) {
  return entries
    .map((entry) => ({ entry, points: score(entry, terms) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .map(({ entry }) => entry)
}

/** The part of the text around the first match. */
function snippetOf(text, terms) {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 40)
  const start = from === 0 || places.length === 0 ? 0 : text.indexOf(' ', from) + 1
  const end =
    text.length - start > SNIPPET_LENGTH
      ? text.lastIndexOf(' ', start + SNIPPET_LENGTH)
      : text.length
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

function appendMarked(parent, text, terms) {
  const pattern = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  text.split(new RegExp(`(${pattern})`, 'gi')).forEach((part, place) => {
    const node = place % 2 === 1 ? document.createElement('mark') : document.createElement('span')
    node.textContent = part
    parent.append(node)
  })
}

function createResult({ url, page, heading, text }, terms) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = url
  const title = document.createElement('strong')
  appendMarked(title, heading ? `${page} › ${heading}` : page, terms)
  const snippet = document.createElement('small')
  appendMarked(snippet, snippetOf(text, terms), terms)
  link.append(title, snippet)
  item.append(link)
  return item
}

function countResults(count, query) {
  if (count === 0) return `No results for “${query}”`
  if (count === 1) return '1 result'
  return count > RESULTS_MAX ? `The best ${RESULTS_MAX} of ${count} results` : `${count} results`
}

function close() {
  panel.hidden = true
}

async function search() {
  const query = field.value.trim().toLowerCase()
  const terms = query.split(/\s+/).filter(Boolean)
  if (query.length < 2) {
    status.textContent = ''
    return close()
  }
  let entries
  try {
    entries = await loadIndex()
  } catch {
    index = undefined
    status.textContent = 'The search could not be loaded. Reload the page and try again.'
    panel.hidden = false
    return
  }
  // A newer query replaces this one while the index loads.
  if (field.value.trim().toLowerCase() !== query) return
  const found = find(entries, terms)
  const results = found.slice(0, RESULTS_MAX).map((entry) => createResult(entry, terms))
  panel.querySelector('ul').replaceChildren(...results)
  status.textContent = countResults(found.length, field.value.trim())
  panel.hidden = false
}

/** Down and up move between the field and the results; Escape closes them. */
function move(event) {
  const stops = [field, ...panel.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  if (event.key === 'Escape' && !panel.hidden) {
    event.preventDefault()
    close()
    field.focus()
  } else if (!panel.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    const step = event.key === 'ArrowDown' ? 1 : -1
    stops[(at + step + stops.length) % stops.length]?.focus()
  }
}

if (form && field && panel && status) {
  form.hidden = false
  field.addEventListener('focus', () => void loadIndex().catch(() => (index = undefined)))
  field.addEventListener('input', () => void search())
  form.addEventListener('keydown', move)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void search().then(() => panel.hidden || panel.querySelector('a')?.click())
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !form.contains(relatedTarget)) close()
  })
  panel.addEventListener('click', ({ target }) => {
    if (target.closest('a')) close()
  })
  document.addEventListener('click', ({ target }) => {
    if (!form.contains(target)) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}
