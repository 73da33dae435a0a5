import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Finds Chromium, or installs it, or throws with instructions. */
export function findChromium(): string {
  return findInstalled() ?? install()
}

const findInstalled = (): string | undefined =>
  [process.env.CHROMIUM_PATH, ...USUAL, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  )

function install(): string {
  const isRoot = process.getuid?.() === 0
  const way =
    isRoot && existsSync('/usr/bin/apt-get')
      ? 'apt-get update && apt-get install -y --no-install-recommends chromium fonts-liberation'
      : `npx playwright-core install ${isRoot ? '--with-deps ' : ''}chromium`
  console.warn(`The browser tests need Chromium. Installing it: ${way}`)
  spawnSync('sh', ['-c', way], { stdio: 'inherit' })
  const found = findInstalled()
  if (found) return found
  throw new Error(
    `There is no Chromium for the browser tests, and installing it failed (${way}). Install it, or set CHROMIUM_PATH.`,
  )
}
