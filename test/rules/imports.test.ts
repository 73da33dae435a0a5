import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../tools/sources.ts'
import {
  domainImports,
  featureImports,
  importsOf,
  listSources,
  partsInCycles,
  readSource,
  specifiersIn,
} from './sources.ts'

const WEB = join(ROOT, 'web/src')

/** A file may import from its own layer and from those after it. */
const LAYERS = [
  'main',
  'cli',
  'app',
  'api-info',
  'metrics',
  'worker',
  'services',
  'backup',
  'features',
  'docs',
  'pictures',
  'access',
  'resource',
  'http',
  'wake',
  'runtime',
  'geoip',
  'egress',
  'mail',
  'html',
  'analytics',
  'secrets',
  'db',
  'model',
  'telemetry',
  'concurrency',
  'fair-limit',
  'task-process',
  'turns',
  'json-scan',
  'errors',
]
/** Only the modules that start the server read its configuration. */
const READS_CONFIG = ['main', 'cli', 'app', 'metrics', 'worker', 'services']

const MAX_LINES = 300

const files = listSources()

const layerOf = (file: string): string => file.split('/')[0]?.replace(/\.ts$/, '') ?? ''

function isAllowed(from: string, to: string): boolean {
  const [own, other] = [layerOf(from), layerOf(to)]
  if (own === 'config') return other === 'config' || other === 'errors'
  if (other === 'config') return READS_CONFIG.includes(own)
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

  it('know the engines of events only where one is chosen', () => {
    const isOfEngine = (path: string) => /^analytics\/(clickhouse|duckdb|postgres)\//.test(path)
    const knowing = files.filter((file) => !isOfEngine(file) && importsOf(file).some(isOfEngine))

    expect(knowing.toSorted()).toEqual([
      'analytics/open.ts',
      // DuckDB reads Parquet and parses SQL for every engine
      'analytics/parquet/check-part.ts',
      'analytics/parquet/reader.ts',
      'analytics/queries/sql/parser.ts',
    ])
  })

  it('form domains whose imports have no cycle', () => {
    expect(domainImports().size).toBeGreaterThan(5)
    expect(partsInCycles(domainImports())).toEqual([])
  })

  it('form features whose imports have no cycle', () => {
    expect(featureImports().size).toBeGreaterThan(40)
    expect(partsInCycles(featureImports())).toEqual([])
  })

  it('go up at most one folder, and use aliases otherwise', () => {
    const climbing = files.flatMap((file) =>
      specifiersIn(readSource(file))
        .filter((specifier) => specifier.startsWith('../../') && specifier.endsWith('.ts'))
        .map((specifier) => `${file} imports ${specifier}`),
    )

    expect(climbing).toEqual([])
  })

  it('keep the model free of other imports, because browsers load it', () => {
    const foreign = files
      .filter((file) => layerOf(file) === 'model')
      .flatMap((file) => importsOf(file).map((path) => [file, path] as const))
      .filter(([, path]) => layerOf(path) !== 'model')

    expect(foreign).toEqual([])
  })

  it('give the web app the model, what connectors do to a record, and only types of the rest', () => {
    const web = globSync('**/*.{ts,tsx}', { cwd: WEB })
    const imports = web.flatMap((file) => [
      ...readFileSync(join(WEB, file), 'utf8').matchAll(/^import (type )?[^']*'([^']+)'/gm),
    ])
    const ofServer = imports.filter(([, , path]) => path?.startsWith('#'))

    // a value of a schema would bring TypeBox into the browser
    const wrong = ofServer.filter(
      ([, type, path = '']) =>
        !type && (!/^#(model|apps\/connector)\//.test(path) || path.endsWith('.schema.ts')),
    )

    expect(ofServer.length).toBeGreaterThan(0)
    expect(wrong.map(([statement]) => statement)).toEqual([])
  })

  it('keep schemas and packages out of the other model files', () => {
    const statements = files
      .filter((file) => layerOf(file) === 'model' && !file.endsWith('.schema.ts'))
      .flatMap((file) => [...readSource(file).matchAll(/^import [^']*'([^']+)'/gm)])
    const heavy = statements
      .filter(
        ([statement, from = '']) =>
          !statement.startsWith('import type') &&
          (!from.startsWith('.') || from.endsWith('.schema.ts')),
      )
      .map(([statement]) => statement)

    expect(statements.length).toBeGreaterThan(20)
    expect(heavy).toEqual([])
  })

  it("import another feature's operations, never its routes", () => {
    const feature = (file: string) => file.split('/').slice(0, 3).join('/')
    const wrong = files
      .filter((file) => file.startsWith('features/'))
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => path.endsWith('routes.ts') && feature(path) !== feature(file))
          .map((path) => `${file} imports ${path}`),
      )

    expect(wrong).toEqual([])
  })

  it('read the environment only in config.ts', () => {
    const readers = files.filter((file) => readSource(file).includes('process.env'))

    expect(readers).toEqual(['config.ts'])
  })

  it('stay short', () => {
    const long = files
      .filter((file) => !file.startsWith('db/migrations/'))
      .filter((file) => readSource(file).split('\n').length > MAX_LINES)

    expect(long).toEqual([])
  })

  it('have no test that is skipped or runs alone', () => {
    const tests = globSync('{src,test}/**/*.test.ts', { cwd: ROOT })
    const partial = tests.filter((file) =>
      /\b(it|test|describe)\.(only|skip|todo)\b/.test(readFileSync(join(ROOT, file), 'utf8')),
    )

    expect(tests.length).toBeGreaterThan(20)
    expect(partial).toEqual([])
  })

  it('contain no TODO comments', () => {
    const left = files.filter((file) => /\b(TODO|FIXME|XXX)\b/.test(readSource(file)))

    expect(left).toEqual([])
  })
})
