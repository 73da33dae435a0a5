import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { withEsbuild } from './esbuild.ts'

/** The folder in which the compiler finds the packages of a built-in app. */
const FOLDER = 'node_modules'

/** Returns the version of a package of this server, for which its bundle is the same. */
export async function readPackageVersion(name: string): Promise<string> {
  const path = createRequire(import.meta.url).resolve(name)
  const root = path.slice(0, path.lastIndexOf(`/${FOLDER}/`) + `/${FOLDER}/${name}`.length + 1)
  return JSON.parse(await readFile(`${root}/package.json`, 'utf8')).version
}

/** Bundles a package for apps as one file, in the form for browsers, because apps have no modules of Node. */
export async function bundlePackage(name: string): Promise<Readonly<Record<string, string>>> {
  const { outputFiles } = await withEsbuild((esbuild) =>
    esbuild.build({
      stdin: {
        contents: `export * from ${JSON.stringify(name)}`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'node26',
      logLevel: 'silent',
    }),
  )
  return { [toPackageFile(name)]: outputFiles[0]?.text ?? '' }
}

export const toPackageFile = (name: string): string => `${FOLDER}/${name}.js`
