import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Html } from '#server/html/html.ts'
import { WEB_DIST } from '#server/http/web-app.ts'

const TAGS = /<script[^>]*><\/script>|<link[^>]*rel="(?:stylesheet|modulepreload)"[^>]*>/g

/** Reads the tags that load script and font from the built page. Without a build the page stays static. */
export function readScripts(file = join(WEB_DIST, 'shared.html')): Html {
  const built = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return { html: [...built.matchAll(TAGS)].map(([tag]) => tag).join('\n') }
}
