import { AppProblem } from '#server/runtime/contract.ts'
import type { AppFiles } from '../package/app-files.ts'
import { type Component, isComponent, toList, Unsupported } from './component.ts'
import { toName } from './partitions.ts'
import { resolveManifest } from './resolve.ts'
import { toSettings } from './settings.ts'
import { type Translated, toStream } from './stream.ts'

export interface Translation {
  readonly files: AppFiles
  /** The names of the streams that are imported. */
  readonly streams: readonly string[]
  /** Why others are not, by name. */
  readonly leftOut: Readonly<Record<string, string>>
}

const MAX_LENGTH = 5 * 1024 * 1024

/**
 * Translates a declarative manifest of Airbyte to an app with a connector. Without `wanted`, all streams must be
 * translatable. Throws an `AppProblem` that names the parts that are not.
 */
export async function translateManifest(
  text: string,
  { name, wanted }: { readonly name: string; readonly wanted?: readonly string[] | undefined },
): Promise<Translation> {
  const { parse, stringify } = await import('yaml')
  const manifest = readManifest(text, parse)
  const resolved = within('The manifest', () => resolveManifest(manifest))
  const settings = toSettings(resolved.spec)
  const keys = new Set(settings.flatMap(({ key }) => key ?? []))
  const { able, leftOut } = translateStreams(resolved, keys)
  const chosen = choose(able, leftOut, wanted)
  const connector = assemble(chosen)
  const json = JSON.stringify(connector)
  const address = connector.base_url + JSON.stringify(connector.auth ?? {})
  const config = settings
    .filter(({ key }) => json.includes(`{{${key}}}`) || json.includes(`"${key}"`))
    .map((field) => ({
      ...field,
      ...(field.default === undefined && { required: true }),
      ...(address.includes(`{{${field.key}}}`) && { address: true }),
    }))
  const plugin = {
    name,
    description: `Imports ${chosen.map(({ stream }) => stream.name).join(', ')}.`.slice(0, 300),
    config,
    publicJobs: { 'Import now': {} },
  }
  return {
    files: {
      'plugin.json': `${JSON.stringify(plugin, null, 2)}\n`,
      'connector.yaml': stringify(connector),
    },
    streams: chosen.map(({ stream }) => stream.name),
    leftOut,
  }
}

function readManifest(text: string, parse: (text: string, options: object) => unknown): Component {
  if (text.length > MAX_LENGTH) throw new AppProblem('The manifest is larger than 5 MiB.')
  let manifest: unknown
  try {
    manifest = JSON.parse(
      JSON.stringify(parse(text, { maxAliasCount: 0, logLevel: 'error' }) ?? null),
    )
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n')
    throw new AppProblem(`The manifest cannot be read: ${message}`)
  }
  if (isComponent(manifest) && manifest.type === 'DeclarativeSource') return manifest
  throw new AppProblem('This is no declarative manifest: its type is not DeclarativeSource.')
}

/** Turns what cannot be translated into a problem of the app. */
function within<T>(subject: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Unsupported ? new AppProblem(`${subject}: ${error.message}.`) : error
  }
}

function translateStreams(manifest: Component, keys: ReadonlySet<string>) {
  const able = new Map<string, Translated>()
  const leftOut: Record<string, string> = {}
  for (const [index, part] of toList(manifest.streams).entries()) {
    const at = `streams.${index}`
    try {
      const translated = toStream(part, at, keys)
      const { name } = translated.stream
      if (able.has(name)) leftOut[`${name} (${at})`] = 'has the name of another stream'
      else able.set(name, translated)
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      const name = isComponent(part) && typeof part.name === 'string' ? part.name : at
      leftOut[name] = error.message
    }
  }
  if (toList(manifest.dynamic_streams).length > 0) {
    leftOut.dynamic_streams = 'dynamic_streams: streams that depend on a response are not supported'
  }
  leaveOthers(able, leftOut)
  return { able, leftOut }
}

/** A connector has one host and one key: those of most streams. */
function leaveOthers(able: Map<string, Translated>, leftOut: Record<string, string>): void {
  const toGroup = ({ origin, auth }: Translated) => JSON.stringify([origin, auth])
  const groups = Map.groupBy(able.values(), toGroup)
  const [first] = [...groups.entries()].toSorted(([, a], [, b]) => b.length - a.length)
  for (const [name, translated] of able) {
    const above = translated.parent ? [toGroup(translated.parent)] : []
    if ([toGroup(translated), ...above].every((group) => group === first?.[0])) continue
    able.delete(name)
    leftOut[name] = 'has another host or another authenticator than the other streams'
  }
}

function choose(
  able: ReadonlyMap<string, Translated>,
  leftOut: Readonly<Record<string, string>>,
  wanted: readonly string[] | undefined,
): Translated[] {
  const names = [...able.keys()]
  const reasons = Object.entries(leftOut).map(([name, reason]) => `\n  ${name}: ${reason}`)
  const works = names.length > 0 ? `These streams work: ${names.join(', ')}` : 'No stream works'
  if (wanted === undefined) {
    if (reasons.length === 0 && names.length > 0) return [...able.values()]
    const advice =
      names.length > 0 ? `. To import them alone, add --streams ${names.join(',')}` : ''
    throw new AppProblem(
      `Some streams cannot be translated.${reasons.join('')}\n${works}${advice}.`,
    )
  }
  return wanted.map((name) => {
    const found = able.get(toName(name))
    if (found) return found
    const reason = Object.hasOwn(leftOut, name) ? leftOut[name] : 'there is no such stream'
    throw new AppProblem(`The stream "${name}" cannot be imported: ${reason}. ${works}.`)
  })
}

function assemble(chosen: readonly Translated[]) {
  const streams = new Map<string, Translated['stream']>()
  const add = ({ stream, parent }: Translated, isChosen: boolean): void => {
    if (parent) add(parent, false)
    const { to: _, ...silent } = stream
    const before = streams.get(stream.name)
    if (before && !isSame(before, stream)) {
      throw new AppProblem(`The manifest has two different streams named "${stream.name}".`)
    }
    if (!before || isChosen) streams.set(stream.name, isChosen ? stream : (silent as typeof stream))
  }
  for (const translated of chosen) add(translated, true)
  const [first] = chosen
  return {
    base_url: first?.origin ?? '',
    ...(first?.auth && { auth: first.auth }),
    streams: [...streams.values()],
  }
}

const isSame = (
  { to: _, ...one }: Translated['stream'],
  { to: __, ...other }: Translated['stream'],
) => JSON.stringify(one) === JSON.stringify(other)
