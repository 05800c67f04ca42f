/** A command finds the settings of the installed service by itself (docs/install.md). */
import { existsSync, readFileSync } from 'node:fs'

const SETTINGS = '/etc/coffer/coffer.env'

/** Variables of the environment win over those of the file. With DATABASE_URL, the environment is complete. */
export function loadSettings(env: Record<string, string | undefined>, file = SETTINGS) {
  if (env['DATABASE_URL'] || env['DATABASE_URL_FILE'] || !existsSync(file)) return
  for (const [name, value] of parseSettings(read(file))) env[name] ??= value
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    throw new Error(
      `This user may not read ${file}, the settings of this machine.\nRun the command with sudo.`,
      { cause: error },
    )
  }
}

const ASSIGNMENT =
  /^[ \t]*([A-Za-z_]\w*)[ \t]*=((?:[ \t]*(?:'[^']*'|"(?:\\[^]|[^"\\])*"))*)[ \t]*((?:\\[^]|[^\n\\])*)/gm
const QUOTED = /'([^']*)'|"((?:\\[^]|[^"\\])*)"/g

/**
 * As systemd reads an EnvironmentFile, because it gives the service the same file. Node reads such files in another way:
 * for Node, `#` in a value begins a comment.
 */
export function parseSettings(text: string): [name: string, value: string][] {
  return [...text.matchAll(ASSIGNMENT)].map(([, name = '', quoted = '', plain = '']) => {
    const parts = [...quoted.matchAll(QUOTED)].map(
      ([, single, double = '']) => single ?? double.replaceAll(/\\(?:\n|(["\\`$]))/g, '$1'),
    )
    const rest = plain.trimEnd().replaceAll(/\\(?:\n|([^]))/g, '$1')
    return [name, parts.join('') + rest]
  })
}
