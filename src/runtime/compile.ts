import { posix } from 'node:path'
import type { BuildFailure, Loader, Message, OnResolveResult, Plugin } from 'esbuild'
import { AppProblem } from './contract.ts'
import { withEsbuild } from './esbuild.ts'
import { findProvided, notProvided } from './provided-packages.ts'

/** Which compiler and which rules made a script: stored beside it, so that a newer one makes it anew. */
export const COMPILER = 'esbuild 0.28.2, rules 1'

type Files = Readonly<Record<string, string>>

const LOADERS: Readonly<Record<string, Loader>> = {
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

/** Apps were written for a script in sloppy mode, and import types without saying that these are types. */
const AS_WRITTEN = {
  compilerOptions: { alwaysStrict: false, verbatimModuleSyntax: false, target: 'esnext' },
}

/**
 * One script from an app's files (by name, relative to its folder), starting at `main`. Throws an `AppProblem`.
 * Relative imports are bundled; packages that are provided stay; any other is refused by name.
 */
export async function compileApp(files: Files, main: string): Promise<string> {
  const entry = posix.normalize(main)
  if (!Object.hasOwn(files, entry)) throw new AppProblem(`Could not find the main file '${main}'.`)
  const output = await withProblems((esbuild) =>
    esbuild.build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'neutral',
      target: 'node26',
      // an app that exports nothing is known by its global functions, which nothing in it calls
      treeShaking: false,
      supported: { 'dynamic-import': false },
      tsconfigRaw: AS_WRITTEN,
      plugins: [readFrom(files)],
      logLevel: 'silent',
      charset: 'utf8',
    }),
  )
  return leaveProvidedAsTheyAre(output.outputFiles[0]?.text ?? '')
}

/** The module that a browser loads, from `frontend.tsx`. Throws an `AppProblem`. */
export async function compileFrontend(source: string): Promise<string> {
  const { code } = await withProblems((esbuild) =>
    esbuild.transform(source, {
      loader: 'tsx',
      format: 'cjs',
      jsx: 'transform',
      target: 'es2020',
      sourcefile: 'frontend.tsx',
      tsconfigRaw: AS_WRITTEN,
      logLevel: 'silent',
      charset: 'utf8',
    }),
  )
  return `"use strict";\nexport function getFrontendApp (require) { let exports = {}; let module = { exports };\n${code}\n; return module.exports; }`
}

/**
 * A default import and `* as all` of a provided package both are the package itself, which may be a function.
 * esbuild would copy it into an object that cannot be called.
 */
const leaveProvidedAsTheyAre = (script: string): string =>
  script.replace(/__toESM\((require\("[^"\n]+"\))(?:, 1)?\)/g, '$1')

const readFrom = (files: Files): Plugin => ({
  name: 'app-files',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, importer, kind }): OnResolveResult => {
      if (kind === 'entry-point') return { path, namespace: 'app' }
      if (/^\.{0,2}\//.test(path) || path === '.' || path === '..') {
        return resolveFile(files, path, importer)
      }
      const provided = findProvided(path)
      if (provided) return { path: provided, external: true }
      return { errors: [{ text: notProvided(path) }] }
    })
    build.onLoad({ filter: /.*/, namespace: 'app' }, ({ path }) => ({
      contents: files[path] ?? '',
      loader: LOADERS[posix.extname(path)] ?? 'text',
    }))
  },
})

function resolveFile(files: Files, path: string, importer: string): OnResolveResult {
  const wanted = posix.join(posix.dirname(importer), path)
  const found = spellings(wanted).find((name) => Object.hasOwn(files, name))
  if (found) return { path: found, namespace: 'app' }
  return { errors: [{ text: `Cannot import '${path}': the app has no such file.` }] }
}

/** `./helper` may be a file of any kind or a folder, and `./helper.js` may have been written as `helper.ts`. */
function spellings(name: string): string[] {
  const endings = Object.keys(LOADERS)
  const asTypeScript = name.replace(/\.([mc]?)js(x?)$/, '.$1ts$2')
  return [
    name,
    asTypeScript,
    ...endings.map((ending) => name + ending),
    ...endings.map((ending) => posix.join(name, `index${ending}`)),
  ]
}

async function withProblems<T>(
  work: (esbuild: typeof import('esbuild')) => Promise<T>,
): Promise<T> {
  try {
    return await withEsbuild(work)
  } catch (error) {
    const first = (error as Partial<BuildFailure>).errors?.[0]
    if (!first) throw error
    throw new AppProblem(toProblem(first))
  }
}

function toProblem({ text, location }: Message): string {
  if (!location) return text
  const { line, column, lineText } = location
  const file = location.file.replace(/^app:/, '')
  const shown = lineText.length > 160 ? '' : `\n\n${line} | ${lineText}`
  return `/${file}: ${text} (${line}:${column})${shown}`
}
