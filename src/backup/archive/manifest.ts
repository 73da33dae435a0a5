import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { PORTABLE_TABLE_NAMES } from '#server/analytics/portable-tables.ts'

/** Increases when an older version could no longer read the archive. */
export const FORMAT = 1

export const MANIFEST = 'manifest.json'
/** The checksum of the manifest, the last member. */
export const MANIFEST_SUM = 'manifest.sha256'
export const KEY_MEMBER = 'secret.key'

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Word = Type.String({ pattern: '^[\\w.+-]{1,100}$' })

const Member = Type.Object({
  name: Type.String(),
  size: Count,
  sha256: Type.String(),
  /** The number of rows, in a part of a table. */
  rows: Type.Optional(Count),
})
export type ManifestMember = Readonly<Static<typeof Member>>

const Counts = Type.Record(Type.String(), Count)

/** Describes an archive: see docs/backup-format.md. */
const Manifest = Type.Object({
  format: Type.Integer(),
  product: Type.Literal('hedgerow'),
  version: Word,
  created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  /** The migrations of the database, in their order. */
  migrations: Type.Array(Word, { maxItems: 1000 }),
  /** The rows of each table of the database, and of the event store. */
  tables: Counts,
  event_tables: Counts,
  /** The number of parts of attachments. */
  files: Count,
  /** The highest ID that each table has given, because IDs are never reused. */
  last_ids: Counts,
  /** The keys that encrypted the secrets. */
  key_ids: Type.Array(Word),
  includes_key: Type.Boolean(),
  members: Type.Array(Member),
})
export type Manifest = Readonly<Static<typeof Manifest>>

/** Names a part of a table of the database. */
export const toRowsName = (table: string, part: number): string =>
  `metadata/${table}/${toNumber(part)}.jsonl`

export const toEventsName = (table: string, part: number): string =>
  `events/${table}/${toNumber(part)}.parquet`

export const toChunkName = (attachmentId: string, position: number): string =>
  `files/${attachmentId}/${toNumber(position)}`

const toNumber = (part: number): string => String(part).padStart(6, '0')

export interface FilePlace {
  readonly kind: 'file'
  readonly attachmentId: string
  readonly position: number
}

export type MemberPlace =
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'events'; readonly table: string }
  | FilePlace
  | { readonly kind: 'key' }

/** Returns undefined for a name that no backup has. */
export function parseName(name: string): MemberPlace | undefined {
  if (name === KEY_MEMBER) return { kind: 'key' }
  const [, folder, part = '', number = ''] =
    /^(metadata|events|files)\/([\w-]+)\/(\d{6,})(?:\.jsonl|\.parquet)?$/.exec(name) ?? []
  if (name === toRowsName(part, Number(number))) return { kind: 'rows', table: part }
  if (name === toEventsName(part, Number(number))) return { kind: 'events', table: part }
  const isFile = folder === 'files' && name === toChunkName(part, Number(number))
  return isFile ? { kind: 'file', attachmentId: part, position: Number(number) } : undefined
}

const KIB = 1024
const MIB = 1024 * KIB

/** The most bytes of a member. All but events are read into memory. */
export const MAX_BYTES: Readonly<Record<MemberPlace['kind'], number>> = {
  rows: 80 * MIB, // 4 MiB and a row: the files of an app have 10 MB, each byte at most six times as long in JSON
  events: 256 * MIB,
  file: 2 * MIB,
  key: 64 * KIB,
}

/** A million parts of attachments have a terabyte. */
export const MAX_ARCHIVE_MEMBERS = 1_000_000

/** The most bytes of a manifest, which describes each member in less than 400. */
export const maxManifestBytes = (members: number): number => 64 * KIB + members * 400

/** Parses the manifest, or the reason why it is not one. Checksums have shown already that it was not changed. */
export function parseManifest(text: string): Manifest | string {
  const manifest = tryParse(text)
  if (manifest?.product !== 'hedgerow' || typeof manifest.format !== 'number') {
    return 'its manifest is not one of Hedgerow'
  }
  if (manifest.format > FORMAT)
    return `its format ${manifest.format} is newer than this version of Hedgerow`
  const isKnown = (table: string) => PORTABLE_TABLE_NAMES.some((name) => name === table)
  return Value.Check(Manifest, manifest) && Object.keys(manifest.event_tables).every(isKnown)
    ? manifest
    : 'its manifest is incomplete'
}

function tryParse(text: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
