import { PORTABLE_TABLE_NAMES } from '#server/analytics/portable-tables.ts'

/** Increases when an older version could no longer read the archive. */
export const FORMAT = 1

export const MANIFEST = 'manifest.json'
/** The checksum of the manifest, the last member. */
export const MANIFEST_SUM = 'manifest.sha256'
export const KEY_MEMBER = 'secret.key'

export interface ManifestMember {
  readonly name: string
  readonly size: number
  readonly sha256: string
  /** The number of rows, in a part of a table. */
  readonly rows?: number
}

/** Describes an archive: see docs/backup-format.md. */
export interface Manifest {
  readonly format: number
  readonly product: 'hedgerow'
  readonly version: string
  readonly created_at: string
  /** The migrations of the database, in their order. */
  readonly migrations: readonly string[]
  /** The rows of each table of the database, and of the event store. */
  readonly tables: Readonly<Record<string, number>>
  readonly event_tables: Readonly<Record<string, number>>
  /** The number of parts of attachments. */
  readonly files: number
  /** The highest ID that each table has given, because IDs are never reused. */
  readonly last_ids: Readonly<Record<string, number>>
  /** The keys that encrypted the secrets. */
  readonly key_ids: readonly string[]
  readonly includes_key: boolean
  readonly members: readonly ManifestMember[]
}

/** The name of a part of a table of the database. */
export const toRowsName = (table: string, part: number): string =>
  `metadata/${table}/${toNumber(part)}.jsonl`

export const toEventsName = (table: string, part: number): string =>
  `events/${table}/${toNumber(part)}.parquet`

export const toFileName = (attachmentId: string, position: number): string =>
  `files/${attachmentId}/${toNumber(position)}`

const toNumber = (part: number): string => String(part).padStart(6, '0')

export type MemberPlace =
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'events'; readonly table: string }
  | { readonly kind: 'file'; readonly attachmentId: string; readonly position: number }
  | { readonly kind: 'key' }

/** Returns undefined for a name that no backup has. */
export function parseName(name: string): MemberPlace | undefined {
  if (name === KEY_MEMBER) return { kind: 'key' }
  const [, folder, part = '', number = ''] =
    /^(metadata|events|files)\/([\w-]+)\/(\d{6,})(?:\.jsonl|\.parquet)?$/.exec(name) ?? []
  if (name === toRowsName(part, Number(number))) return { kind: 'rows', table: part }
  if (name === toEventsName(part, Number(number))) return { kind: 'events', table: part }
  const isFile = folder === 'files' && name === toFileName(part, Number(number))
  return isFile ? { kind: 'file', attachmentId: part, position: Number(number) } : undefined
}

/** Returns the manifest, or the reason why it is not one. Checksums have shown already that it was not changed. */
export function parseManifest(text: string): Manifest | string {
  const manifest = tryParse(text)
  if (manifest?.product !== 'hedgerow' || typeof manifest.format !== 'number') {
    return 'its manifest is not one of Hedgerow'
  }
  if (manifest.format > FORMAT)
    return `its format ${manifest.format} is newer than this version of Hedgerow`
  const isComplete = REQUIRED.every((name) => manifest[name] !== undefined)
  const hasTables = Object.keys(manifest.event_tables ?? {}).every((table) =>
    PORTABLE_TABLE_NAMES.includes(table as never),
  )
  return isComplete && hasTables ? (manifest as Manifest) : 'its manifest is incomplete'
}

const REQUIRED = [
  'created_at',
  'migrations',
  'tables',
  'event_tables',
  'files',
  'last_ids',
  'key_ids',
  'members',
] as const

function tryParse(text: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
