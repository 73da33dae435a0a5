import { readdir, readFile } from 'node:fs/promises'
import { createCompiler } from '#server/http/compile-schema.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import type { ConfigField } from '../schema.ts'
import type { AppFiles } from './app-files.ts'
import { ConnectorSchema } from './connector-schema.ts'

export const CONNECTOR_FILE = 'connector.yaml'
const MAX_LENGTH = 64 * 1024

const APPS = new URL('../../../../../apps/', import.meta.url)
/** The folders of the interpreter. */
const FOLDERS = ['connector', 'shared']

export const CONNECTOR_MAIN = 'connector-main.js'
const MAIN = `module.exports = require('./connector/index.ts').createExports(require('./connector.json'))`

const compiler = createCompiler({ coerceTypes: false })

/** Returns the files of an app that runs its `connector.yaml`. Throws an `AppProblem` that names what is wrong. */
export async function toConnectorApp(
  text: string,
  config: readonly ConfigField[],
): Promise<AppFiles> {
  const connector = await parseConnector(text)
  requireSettings(connector, config)
  return {
    ...(await readInterpreter()),
    'connector.json': JSON.stringify(connector),
    [CONNECTOR_MAIN]: MAIN,
  }
}

interface NamedStreams {
  readonly streams: readonly { readonly name: string }[]
}

async function parseConnector(text: string): Promise<NamedStreams> {
  if (text.length > MAX_LENGTH) throw problem(`is larger than ${MAX_LENGTH} bytes`)
  const connector = await parseYaml(text)
  const validate = compiler.compile(ConnectorSchema)
  if (!validate(connector)) throw problem(describe(validate.errors?.[0]))
  const { streams } = connector as NamedStreams
  const names = streams.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw problem(`has two streams named "${repeated}"`)
  return connector as NamedStreams
}

/** Refuses aliases, which can make a short text huge. */
async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    const value = parse(text, { maxAliasCount: 0, logLevel: 'error', prettyErrors: true })
    const plain = JSON.parse(JSON.stringify(value ?? null))
    requireStorable(plain)
    return plain
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n')
    throw problem(`cannot be read: ${message.replace(/[.:]+$/, '')}`)
  }
}

interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Record<string, unknown>
  readonly message?: string
}

function describe(error: SchemaError | null | undefined): string {
  if (!error) return 'is not valid'
  const at = error.instancePath.split('/').slice(1).join('.')
  const subject = at === '' ? '' : `, ${at}`
  if (error.keyword === 'additionalProperties') {
    return `${subject} has an unknown key "${error.params.additionalProperty}"`.trim()
  }
  if (error.keyword === 'enum') {
    return `${subject} must be one of ${(error.params.allowedValues as string[]).join(', ')}`
  }
  return `${subject} ${error.message}`.trim()
}

const problem = (detail: string): AppProblem =>
  new AppProblem(`${CONNECTOR_FILE}${detail.startsWith(',') ? '' : ' '}${detail}.`)

/** Finds the settings that a connector names, in its texts and for its keys. */
function requireSettings(connector: unknown, config: readonly ConfigField[]): void {
  const known = new Set(config.map(({ key }) => key))
  for (const key of listSettings(connector)) {
    if (!known.has(key)) throw problem(`names the setting "${key}", which plugin.json lacks`)
  }
}

function listSettings(connector: unknown): string[] {
  const placeholders = JSON.stringify(connector).matchAll(/\{\{\s*([\w-]+)\s*\}\}/g)
  const { auth = {} } = connector as { auth?: Record<string, string | Record<string, string>> }
  const keys = Object.values(auth).flatMap((value) =>
    typeof value === 'string' ? [value] : [value.user, value.password, value.setting],
  )
  return [
    ...placeholders.map(([, key]) => key as string),
    ...keys.filter((key) => key !== undefined),
  ]
}

let interpreter: Promise<AppFiles> | undefined

const readInterpreter = (): Promise<AppFiles> => {
  interpreter ??= readSources()
  return interpreter
}

async function readSources(): Promise<AppFiles> {
  const files: Record<string, string> = {}
  for (const folder of FOLDERS) {
    for (const name of await readdir(new URL(`${folder}/`, APPS))) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
      files[`${folder}/${name}`] = await readFile(new URL(`${folder}/${name}`, APPS), 'utf8')
    }
  }
  return files
}
