import { posix } from 'node:path'
import type { BuildFailure, Loader, Message, OnResolveResult, Plugin } from 'esbuild'
import { toPackageFile } from './bundle-package.ts'
import { AppProblem } from './contract.ts'
import { hasStopped, withEsbuild } from './esbuild.ts'
import { findProvidedPackage, notProvidedMessage } from './provided-packages.ts'

/** The compiler's version, stored with each script: a script of an older compiler is compiled again. */
export const COMPILER = 'esbuild 0.28.2, rules 1'

type Files = Readonly<Record<string, string>>

type Loaders = Readonly<Record<string, Loader>>

const LOADERS: Loaders = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.json': 'json',
}

/** Apps expect sloppy mode, and import types without `import type`. */
const TSCONFIG = {
  compilerOptions: { alwaysStrict: false, verbatimModuleSyntax: false, target: 'esnext' },
}

/**
 * Bundles an app's files (by name, relative to its folder) into one script, starting at `main`. Throws an `AppProblem`.
 * Relative imports are bundled, provided packages stay imports, and any other package is refused by name.
 */
export async function compileApp(files: Files, main: string): Promise<string> {
  const entry = posix.normalize(main)
  if (!Object.hasOwn(files, entry)) throw new AppProblem(`Could not find the main file '${main}'.`)
  try {
    return await bundle(files, entry, LOADERS)
  } catch (problem) {
    // some apps have TypeScript in index.js; if it is not that either, the first problem is the right one
    return bundle(files, entry, { ...LOADERS, '.js': 'ts' }).catch(() => Promise.reject(problem))
  }
}

async function bundle(files: Files, entry: string, loaders: Loaders): Promise<string> {
  const output = await withAppProblems((esbuild) =>
    esbuild.build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'neutral',
      target: 'node26',
      // the global functions of an app without exports are its interface, though nothing in it calls them
      treeShaking: false,
      supported: { 'dynamic-import': false },
      tsconfigRaw: TSCONFIG,
      plugins: [appFiles(files, loaders)],
      logLevel: 'silent',
      charset: 'utf8',
    }),
  )
  return keepProvidedPackages(output.outputFiles[0]?.text ?? '')
}

/** Compiles `frontend.tsx` to the module that a browser loads. Throws an `AppProblem`. */
export async function compileFrontend(source: string): Promise<string> {
  const { code } = await withAppProblems((esbuild) =>
    esbuild.transform(source, {
      loader: 'tsx',
      format: 'cjs',
      jsx: 'transform',
      target: 'es2020',
      sourcefile: 'frontend.tsx',
      tsconfigRaw: TSCONFIG,
      logLevel: 'silent',
      charset: 'utf8',
    }),
  )
  return `"use strict";\nexport function getFrontendApp (require) { let exports = {}; let module = { exports };\n${code}\n; return module.exports; }`
}

/**
 * Makes both a default import and `* as all` of a provided package the package itself, which may be a function.
 * esbuild would copy it into an object that cannot be called.
 */
const keepProvidedPackages = (script: string): string =>
  script.replace(/__toESM\((require\("[^"\n]+"\))(?:, 1)?\)/g, '$1')

const appFiles = (files: Files, loaders: Loaders): Plugin => ({
  name: 'app-files',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, importer, kind }): OnResolveResult => {
      if (kind === 'entry-point') return { path, namespace: 'app' }
      if (/^\.{0,2}\//.test(path) || path === '.' || path === '..') {
        return resolveFile(files, path, importer)
      }
      const bundled = toPackageFile(path)
      if (Object.hasOwn(files, bundled)) return { path: bundled, namespace: 'app' }
      const provided = findProvidedPackage(path)
      if (provided) return { path: provided, external: true }
      return { errors: [{ text: notProvidedMessage(path) }] }
    })
    build.onLoad({ filter: /.*/, namespace: 'app' }, ({ path }) => ({
      contents: files[path] ?? '',
      loader: loaders[posix.extname(path)] ?? 'text',
    }))
  },
})

function resolveFile(files: Files, path: string, importer: string): OnResolveResult {
  const wanted = posix.join(posix.dirname(importer), path)
  const found = candidates(wanted).find((name) => Object.hasOwn(files, name))
  if (found) return { path: found, namespace: 'app' }
  return { errors: [{ text: `Cannot import '${path}': the app has no such file.` }] }
}

/** Lists the files that an import may mean: `./helper` with any extension or as a folder, `./helper.js` as `helper.ts`. */
function candidates(name: string): string[] {
  const endings = Object.keys(LOADERS)
  const asTypeScript = name.replace(/\.([mc]?)js(x?)$/, '.$1ts$2')
  return [
    name,
    asTypeScript,
    ...endings.map((ending) => name + ending),
    ...endings.map((ending) => posix.join(name, `index${ending}`)),
  ]
}

async function withAppProblems<T>(
  work: (esbuild: typeof import('esbuild')) => Promise<T>,
): Promise<T> {
  try {
    return await withEsbuild(work)
  } catch (error) {
    const first = (error as Partial<BuildFailure>).errors?.[0]
    if (!first && hasStopped(error)) {
      throw new AppProblem('The compiler stopped. The code may be nested too deeply.')
    }
    if (!first) throw error
    throw new AppProblem(toText(first))
  }
}

function toText({ text, location }: Message): string {
  if (!location) return text
  const { line, column, lineText } = location
  const file = location.file.replace(/^app:/, '')
  const shown = lineText.length > 160 ? '' : `\n\n${line} | ${lineText}`
  return `/${file}: ${text} (${line}:${column})${shown}`
}
