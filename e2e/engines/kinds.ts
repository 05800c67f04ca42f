/** The engines of browsers that may be installed. */
import { spawnSync } from 'node:child_process'
import { startChromium } from './chromium.ts'
import type { Engine } from './engine.ts'
import { FIREFOX as FIREFOX_PROGRAM, startFirefox } from './firefox.ts'
import { startWebKit, WEBKIT as WEBKIT_PROGRAMS } from './webkit.ts'

export interface Kind {
  name: string
  programs: string[]
  start: () => Promise<Engine>
}

export const CHROMIUM: Kind = { name: 'Chromium', programs: ['chromium'], start: startChromium }
export const FIREFOX: Kind = { name: 'Firefox', programs: [FIREFOX_PROGRAM], start: startFirefox }
export const WEBKIT: Kind = {
  name: 'WebKit',
  programs: WEBKIT_PROGRAMS,
  // With this language, WebKit reports a language tag that Intl does not accept.
  start: () => startWebKit('C'),
}

export function listMissing({ programs }: Kind): string[] {
  return programs.filter((program) => spawnSync('which', [program]).status !== 0)
}
