import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Written by tools/compile.ts into a package, which has no repository. */
const WRITTEN = new URL('../commit', import.meta.url)
const ROOT = new URL('../../', import.meta.url)

export const UNKNOWN_COMMIT = 'unknown'

/** Finds the commit of this code, with `-dirty` if the checkout has other changes. */
export function findCommit(): string {
  if (existsSync(WRITTEN)) return readFileSync(WRITTEN, 'utf8').trim()
  // a repository further up would be another project's
  return existsSync(new URL('.git', ROOT)) ? describeCheckout() : UNKNOWN_COMMIT
}

function describeCheckout(): string {
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  try {
    return execFileSync('git', args, {
      cwd: fileURLToPath(ROOT),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return UNKNOWN_COMMIT // no git, or the checkout is another user's
  }
}
