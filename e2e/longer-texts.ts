/** A language whose words are 40 % longer than the English ones, and what it breaks. Both functions run in the page. */

/** Makes every word longer, which adds no place where a line can break. Amounts, dates and addresses stay. */
export function lengthenTexts() {
  const lengthen = (text: string) =>
    text.replaceAll(/(?<![\w@.#/-])\p{L}{2,}(?![\w@/#-]|\.\w)/gu, (word) =>
      word.padEnd(Math.ceil(word.length * 1.4), 'enirstau'),
    )
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const isShown = !node.parentElement?.closest('script, style, noscript')
    if (isShown && node.nodeValue) node.nodeValue = lengthen(node.nodeValue)
  }
  for (const field of document.querySelectorAll('input[placeholder]')) {
    field.setAttribute('placeholder', lengthen(field.getAttribute('placeholder') ?? ''))
  }
}

/** Texts that extend beyond the window, their control or something that cuts them off. */
export function findCutTexts(): string[] {
  const slack = 1
  const problems: string[] = []
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth > clientWidth) {
    const wide = [...document.body.querySelectorAll('*')].filter(
      (each) => each.getBoundingClientRect().right > clientWidth + slack,
    )
    const names = wide.map((each) => each.tagName.toLowerCase())
    problems.push(`the page is ${scrollWidth} px wide: ${names.join(', ')}`)
  }
  const isHidden = (element: Element) => {
    const { clipPath, visibility, opacity } = getComputedStyle(element)
    return clipPath !== 'none' || visibility === 'hidden' || opacity === '0'
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.nodeValue?.trim()) continue
    const around: Element[] = []
    for (let each = node.parentElement; each; each = each.parentElement) around.push(each)
    // For screen readers only, or the text of a closed list.
    if (around.some((each) => isHidden(each) || each.matches('select, script, noscript'))) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width * height > 0)
    const right = Math.max(...boxes.map((box) => box.right))
    const left = Math.min(...boxes.map((box) => box.left))
    const bottom = Math.max(...boxes.map((box) => box.bottom))
    if (boxes.length === 0) continue
    if (right > clientWidth + slack || left < -slack)
      problems.push(`beyond the window: ${node.nodeValue}`)
    for (const each of around) {
      const { overflowX, overflowY, display, webkitLineClamp } = getComputedStyle(each)
      const box = each.getBoundingClientRect()
      const isRoot = each === document.documentElement || each === document.body
      const isControl = each.matches('button, a, label, h1, h2')
      const cutsX = overflowX !== 'visible' || isControl
      const cutsY = ['hidden', 'clip'].includes(overflowY) || each.matches('button')
      // What an app writes about a payment ends visibly after some lines.
      const isShortened = webkitLineClamp !== 'none'
      if (isRoot || display === 'inline' || isShortened) continue
      const isCut =
        (cutsX && (right > box.right + slack || left < box.left - slack)) ||
        (cutsY && bottom > box.bottom + slack)
      if (isCut) problems.push(`cut off by ${each.tagName.toLowerCase()}: ${node.nodeValue}`)
    }
  }
  return [...new Set(problems)]
}
