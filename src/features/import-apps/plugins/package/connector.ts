import { readdir, readFile } from 'node:fs/promises'
import { createCompiler } from '#server/http/compile-schema.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { compileApp } from '#server/runtime/compile.ts'
import type { ConfigField } from '../schema.ts'
import type { AppFiles } from './app-files.ts'
import { requireHosts } from './connector-hosts.ts'
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
const MAIN = 'connector/index.ts'

const compiler = createCompiler({ coerceTypes: false })

/** Returns the code of an app that runs its `connector.yaml`. Throws an `AppProblem` that names what is wrong. */
export async function compileConnector(
  text: string,
  config: readonly ConfigField[],
): Promise<string> {
  const connector = await parseConnector(text)
  requireSettings(connector, config)
  requireHosts(connector, config)
  const json = JSON.stringify(JSON.stringify(connector))
  return `${await compileInterpreter()}\nmodule.exports = module.exports.createExports(JSON.parse(${json}));\n`
}

let compiled: Promise<string> | undefined

/** Compiles the interpreter once, because it is the same in all connectors. */
const compileInterpreter = (): Promise<string> => {
  compiled ??= createSourceReader()(INTERPRETER).then((files) => compileApp(files, MAIN))
  return compiled
}

export async function parseConnector(text: string): Promise<Connector> {
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
  const added = connector.streams.map(({ transform = [], to }) => [to, transform])
  const isSecret = ({ name, path }: Placeholder) => path === undefined && known.get(name)?.secret
  const secret = listPlaceholders(added).find(isSecret)
  if (secret) throw problem(`adds the secret setting "${secret.name}" to events`)
  const list = connector.streams
    .flatMap(({ partitions = [] }) => partitions)
    .find(({ setting }) => setting !== undefined && known.get(setting)?.secret)
  if (list) throw problem(`takes a partition from the secret setting "${list.setting}"`)
}

function listSettings({ auth = {}, ...connector }: Connector): string[] {
  const placeholders = listPlaceholders({ auth, ...connector }).filter(
    ({ path }) => path === undefined,
  )
  const partitions = connector.streams.flatMap(({ partitions = [] }) => partitions)
  const lists = partitions.flatMap(({ setting }) => setting ?? [])
  return [...placeholders.map(({ name }) => name), ...lists, ...listKeys(auth)]
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

/** The folders of the interpreter. */
export const INTERPRETER = ['connector', 'shared']

/** Reads the sources in folders of the built-in apps, without tests. */
export type ReadSources = (folders: readonly string[]) => Promise<AppFiles>

/** Reads each folder once, because most apps share some. */
export function createSourceReader(): ReadSources {
  const read = new Map<string, Promise<AppFiles>>()
  const readOnce = (folder: string): Promise<AppFiles> => {
    const files = read.get(folder) ?? readFolder(folder)
    read.set(folder, files)
    return files
  }
  return async (folders) => Object.assign({}, ...(await Promise.all(folders.map(readOnce))))
}

async function readFolder(folder: string): Promise<AppFiles> {
  const names = (await readdir(new URL(`${folder}/`, APPS)))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, APPS), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index] as string]))
}
