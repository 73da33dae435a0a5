import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Html } from '../html/html.ts'
import { WEB_DIST } from './web-app.ts'

const TAGS = /<script[^>]*><\/script>|<link[^>]*rel="(?:stylesheet|modulepreload)"[^>]*>/g
const STYLES = /<link[^>]*rel="stylesheet"[^>]*>/g

/** Reads the tags that load scripts, styles and fonts from a built page. Without a build there are none. */
export function readBuiltTags(page: string): Html {
  const file = join(WEB_DIST, page)
  const built = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return { html: [...built.matchAll(TAGS)].map(([tag]) => tag).join('\n') }
}

/** Reads the tags that load styles and fonts, without scripts. */
export const readBuiltStyles = (page: string): Html => ({
  html: [...readBuiltTags(page).html.matchAll(STYLES)].join('\n'),
})
