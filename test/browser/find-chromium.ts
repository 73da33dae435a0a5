import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const WITH_WINDOWS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Renders less: the tests take a fifth less CPU time, but it cannot count frames. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** Finds Chromium, or installs it, or throws with instructions. */
export function findChromium({ countsFrames = false } = {}): string {
  const paths = countsFrames ? WITH_WINDOWS : [HEADLESS_SHELL, ...WITH_WINDOWS]
  return findInstalled(paths) ?? install(paths)
}

const findInstalled = (paths: readonly string[]): string | undefined =>
  [process.env.CHROMIUM_PATH, ...paths, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  )

const APT_INSTALL = 'apt-get install -y --no-install-recommends'

function install(paths: readonly string[]): string {
  const isRoot = process.getuid?.() === 0
  const way =
    isRoot && existsSync('/usr/bin/apt-get')
      ? `apt-get update && ${APT_INSTALL} chromium fonts-liberation; ${APT_INSTALL} chromium-headless-shell`
      : `npx playwright-core install ${isRoot ? '--with-deps ' : ''}chromium`
  console.warn(`The browser tests need Chromium. Installing it: ${way}`)
  spawnSync('sh', ['-c', way], { stdio: 'inherit' })
  const found = findInstalled(paths)
  if (found) return found
  throw new Error(
    `There is no Chromium for the browser tests, and installing it failed (${way}). Install it, or set CHROMIUM_PATH.`,
  )
}
