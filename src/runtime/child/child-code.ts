import { fileURLToPath } from 'node:url'
import { untilItSucceeds } from '#server/concurrency.ts'
import { withEsbuild } from '../esbuild.ts'

export interface ChildCode {
  /** The script that `node -e` runs. */
  readonly bootstrap: string
  /** An expression that runs in the app's context before the app. */
  readonly prelude: string
}

/** Bundles the code of an app's process, which cannot read files. Happens once in a server's life. */
export const getChildCode: () => Promise<ChildCode> = untilItSucceeds(build)

async function build(): Promise<ChildCode> {
  const [bootstrap, prelude] = await withEsbuild(async (esbuild) => {
    const bundle = async (file: string, format: 'cjs' | 'iife') => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
        bundle: true,
        write: false,
        format,
        platform: 'node',
        target: 'node26',
        globalName: format === 'iife' ? 'prelude' : undefined,
        logLevel: 'silent',
      })
      return outputFiles[0]?.text ?? ''
    }
    return Promise.all([bundle('./bootstrap.ts', 'cjs'), bundle('./prelude/start.ts', 'iife')])
  })
  // wrapped in functions, so that their declarations are not global: the bootstrap deletes the globals
  return {
    bootstrap: `(() => { 'use strict'; ${bootstrap} })()`,
    prelude: `(() => { 'use strict'; ${prelude}; return prelude.start })()`,
  }
}
