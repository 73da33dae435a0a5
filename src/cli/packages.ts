import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The two largest packages. */
export const BUNDLED_PACKAGES = ['kysely', 'typebox']

/** The modules of these packages that the server imports, and the files of their bundles. */
export const BUNDLED_MODULES: Readonly<Record<string, string>> = {
  kysely: 'kysely.mjs',
  typebox: 'typebox.mjs',
  'typebox/value': 'typebox-value.mjs',
}

/** Finds the folder of the bundles: in a package beside its code, in a checkout beside the packages. */
export function findBundles(): string | undefined {
  const folders = [join(import.meta.dirname, '../packages'), toCachedBundles()]
  return folders.find((folder) => existsSync(join(folder, 'kysely.mjs')))
}

/** Names the folder by the exact versions, so that bundles of other versions are never used. */
export function toCachedBundles(): string {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const versions = BUNDLED_PACKAGES.map((name) => `${name}-${dependencies[name]}`)
  return join(ROOT, 'node_modules/.cache/hedgerow', versions.join('-'))
}

/**
 * Bundles the packages into a few files. A server loads 628 files of them otherwise, which is 0.17 of 1 s of processor
 * time at its start. The folder appears when it is complete.
 */
export async function bundlePackages(folder: string): Promise<void> {
  const { buildSync } = await import('esbuild')
  const entries = Object.entries(BUNDLED_MODULES).map(([module, file]) => [
    file.replace(/\.mjs$/, ''),
    module,
  ])
  const unfinished = `${folder}-${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    buildSync({
      absWorkingDir: ROOT,
      entryPoints: Object.fromEntries(entries),
      outdir: unfinished,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node26',
      logLevel: 'warning',
    })
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
