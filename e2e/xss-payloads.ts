/** Texts that try to be markup or code. Each calls `pwned` if it is ever interpreted as either. */

const CALLS = ['pwned()', 'top.pwned()', 'parent.pwned()', 'window["pwned"]()', 'pwned``']
const SHAPES: ((call: string) => string)[] = [
  (call) => `<script>${call}</script>`,
  (call) => `</script><script>${call}</script>`,
  (call) => `<img src=x onerror=${call}>`,
  (call) => `"><img src=x onerror="${call}">`,
  (call) => `'><svg onload='${call}'>`,
  (call) => `<svg/onload=${call}>`,
  (call) => `<body onload=${call}>`,
  (call) => `<iframe srcdoc="<script>${call}</script>"></iframe>`,
  (call) => `<iframe src="javascript:${call}"></iframe>`,
  (call) => `<a href="javascript:${call}">x</a>`,
  (call) => `<math><mi xlink:href="javascript:${call}">x</mi></math>`,
  (call) => `<details open ontoggle=${call}>`,
  (call) => `<input autofocus onfocus=${call}>`,
  (call) => `<style>*{background:url("javascript:${call}")}</style>`,
  (call) => `<link rel=stylesheet href="javascript:${call}">`,
  (call) => `<object data="javascript:${call}"></object>`,
  (call) => `<template><script>${call}</script></template>`,
  (call) => `<!--><script>${call}</script>-->`,
  (call) => `]]><script>${call}</script>`,
  (call) => `{{constructor.constructor("${call}")()}}`,
  (call) => `\${${call}}`,
  (call) => `\\u003cscript\\u003e${call}\\u003c/script\\u003e`,
  (call) => `&lt;script&gt;${call}&lt;/script&gt;`,
  (call) => `javascript:${call}`,
  (call) => `__proto__[innerHTML]=<img src=x onerror=${call}>`,
]

export const PAYLOADS: readonly string[] = SHAPES.flatMap((shape) => CALLS.map(shape))
