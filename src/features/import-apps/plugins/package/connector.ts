import { readdir, readFile } from 'node:fs/promises'
import { createCompiler } from '#server/http/compile-schema.ts'
import { requireStorable } from '#server/http/json-body.ts'
import type { ConfigField } from '../schema.ts'
import type { AppFiles } from './app-files.ts'
import { ConnectorSchema } from './connector-schema.ts'
import {
  type Connector,
  listPlaceholders,
  type Placeholder,
  connectorProblem as problem,
  requireStreams,
} from './connector-streams.ts'

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

async function parseConnector(text: string): Promise<Connector> {
  if (text.length > MAX_LENGTH) throw problem(`is larger than ${MAX_LENGTH} bytes`)
  const connector = await parseYaml(text)
  const validate = compiler.compile(ConnectorSchema)
  if (!validate(connector)) throw problem(describe(validate.errors?.[0]))
  requireStreams(connector as Connector)
  return connector as Connector
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

/** Finds the settings that a connector names, in its texts and for its keys. */
function requireSettings(connector: Connector, config: readonly ConfigField[]): void {
  const known = new Map(config.map((field) => [field.key, field]))
  for (const key of listSettings(connector)) {
    if (!known.has(key)) throw problem(`names the setting "${key}", which plugin.json lacks`)
  }
  const added = connector.streams.flatMap(({ transform = [] }) => transform.map(({ add }) => add))
  const isSecret = ({ name, path }: Placeholder) => path === undefined && known.get(name)?.secret
  const secret = listPlaceholders(added).find(isSecret)
  if (secret) throw problem(`adds the secret setting "${secret.name}" to events`)
}

function listSettings({ auth = {}, ...connector }: Connector): string[] {
  const placeholders = listPlaceholders({ auth, ...connector }).filter(
    ({ path }) => path === undefined,
  )
  return [...placeholders.map(({ name }) => name), ...listKeys(auth)]
}

/** The keys of `auth` whose values are settings. */
const KEYS = [
  'bearer',
  'user',
  'password',
  'setting',
  'client_id',
  'client_secret',
  'refresh_token',
]

function listKeys(auth: object): string[] {
  return Object.entries(auth).flatMap(([key, value]) => {
    if (typeof value === 'object') return key === 'parameters' ? [] : listKeys(value)
    return KEYS.includes(key) ? [value] : []
  })
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
