import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const DIST = dirname(fileURLToPath(import.meta.resolve('posthog-js')))
/** Files for bundlers; a page cannot load them as scripts. */
const FOR_BUNDLERS =
  /^(module|main|customizations|default-extensions|extension-bundles|all-external|rrweb)|\.[cm]js$/
/** Parts that it loads only if a server says that it has session recording, product tours or chats. */
const UNAVAILABLE =
  /^((lazy-|posthog-)?recorder|surveys-preview|product-tours|conversations|intercom-integration|crisp-chat-integration)\b/

/** Adds the scripts of posthog-js that pages load from `/static`, in a folder named for its version. */
export function browserClient(): Plugin {
  return {
    name: 'browser-client',
    apply: 'build',
    async generateBundle() {
      const { version, files } = JSON.parse(await readFile(join(DIST, 'integrity.json'), 'utf8'))
      const names = Object.keys(files).filter(
        (name) => !FOR_BUNDLERS.test(name) && !UNAVAILABLE.test(name),
      )
      for (const name of [...names, '../LICENSE']) {
        const source = await readFile(join(DIST, name))
        this.emitFile({
          type: 'asset',
          fileName: `static/${version}/${name.replace('../', '')}`,
          source,
        })
      }
    },
  }
}
