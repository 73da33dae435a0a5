import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const WEB = fileURLToPath(new URL('../../web/src', import.meta.url))
const SRC = fileURLToPath(new URL('../../src', import.meta.url))

/** A file may import from its own layer and from those after it. */
const LAYERS = [
  'main',
  'cli',
  'app',
  'worker',
  'services',
  'features',
  'pictures',
  'access',
  'http',
  'jobs',
  'runtime',
  'charts',
  'analytics',
  'secrets',
  'db',
  'errors',
]
/** What the environment says is for those who start the service. */
const READS_CONFIG = ['main', 'cli', 'app', 'worker', 'services']

const MAX_LINES = 300

const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'))

const read = (file: string): string => readFileSync(join(SRC, file), 'utf8')

const layerOf = (file: string): string => file.split('/')[0]?.replace(/\.ts$/, '') ?? ''

const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, path]) => relative(SRC, join(SRC, dirname(file), path as string)))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('..'))

function isAllowed(from: string, to: string): boolean {
  const [own, other] = [layerOf(from), layerOf(to)]
  if (other === 'config') return READS_CONFIG.includes(own)
  if (own === 'config') return other === 'errors'
  return LAYERS.indexOf(own) <= LAYERS.indexOf(other)
}

describe('the sources', () => {
  it('consist of known layers', () => {
    const unknown = files.filter((file) => ![...LAYERS, 'config'].includes(layerOf(file)))

    expect(unknown).toEqual([])
  })

  it('import from their own layer or from one below', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((path) => !isAllowed(file, path))
        .map((path) => `${file} imports ${path}`),
    )

    expect(files.some((file) => importsOf(file).length > 0)).toBe(true)
    expect(wrong).toEqual([])
  })

  it('are for browsers only the charts, and types', () => {
    const web = globSync('**/*.{ts,tsx}', { cwd: WEB })
    const imports = web.flatMap((file) => [
      ...readFileSync(join(WEB, file), 'utf8').matchAll(/^import (type )?[^']*'([^']+)'/gm),
    ])
    const ofServer = imports.filter(([, , path]) => path?.includes('/src/'))

    const wrong = ofServer.filter(([, type, path]) => !type && !path?.includes('/src/charts/'))

    expect(ofServer.length).toBeGreaterThan(0)
    expect(wrong.map(([statement]) => statement)).toEqual([])
  })

  it('share the charts with browsers, so these take nothing but types from the server', () => {
    const statements = files
      .filter((file) => file.startsWith('charts/'))
      .flatMap((file) => [...read(file).matchAll(/^import [^']*'([^']+)'/gm)])
    const foreign = statements
      .filter(
        ([statement, from]) => !from?.startsWith('./') && !statement.startsWith('import type'),
      )
      .map(([statement]) => statement)

    expect(statements.length).toBeGreaterThan(20)
    expect(foreign).toEqual([])
  })

  it("use another feature's operations, never its routes", () => {
    const feature = (file: string) => file.split('/').slice(0, 2).join('/')
    const wrong = files
      .filter((file) => file.startsWith('features/'))
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => path.endsWith('routes.ts') && feature(path) !== feature(file))
          .map((path) => `${file} imports ${path}`),
      )

    expect(wrong).toEqual([])
  })

  it('leave the environment to config.ts', () => {
    const readers = files.filter((file) => read(file).includes('process.env'))

    expect(readers).toEqual(['config.ts'])
  })

  it('stay short enough to be read at once', () => {
    const long = files
      .filter((file) => !file.startsWith('db/migrations/'))
      .filter((file) => read(file).split('\n').length > MAX_LINES)

    expect(long).toEqual([])
  })

  it('are tested as a whole', () => {
    const tests = globSync('{src,test}/**/*.test.ts', { cwd: join(SRC, '..') })
    const partial = tests.filter((file) =>
      /\b(it|test|describe)\.(only|skip|todo)\b/.test(read(join('..', file))),
    )

    expect(tests.length).toBeGreaterThan(20)
    expect(partial).toEqual([])
  })

  it('hold nothing that was left for later', () => {
    const left = files.filter((file) => /\b(TODO|FIXME|XXX)\b/.test(read(file)))

    expect(left).toEqual([])
  })
})
