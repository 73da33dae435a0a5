import './text-coding.ts'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import type { StoredFile } from './object.ts'
import { type Json, toJson } from './values.ts'

/** Rows that are decoded at a time. */
const SLICE = 2000
/** A row group up to this size is requested once and held. Others are read by their index of pages. */
const MAX_HELD = 48 * 1024 * 1024
const MAX_PAGE = 64 * 1024 * 1024
/** The footer names all row groups, and is held while the file is read. */
const MAX_FOOTER = 8 * 1024 * 1024

const limit = { maxOutputLength: MAX_PAGE }
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes, limit),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes, limit),
  ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes, limit),
}

/** Yields the rows after the first `done`, and requests only the parts of the file that they need. */
export async function* readParquet(
  file: StoredFile,
  done: number,
): AsyncGenerator<readonly Record<string, Json>[]> {
  const metadata = await readMetadata(file)
  let groupStart = 0
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows)
    if (groupEnd > done) {
      const part = await openGroup(file, group)
      for (let from = Math.max(groupStart, done); from < groupEnd; from += SLICE) {
        const rows = await parquetReadObjects({
          file: part,
          metadata,
          rowStart: from,
          rowEnd: Math.min(from + SLICE, groupEnd),
          compressors: COMPRESSORS,
          useOffsetIndex: true,
        })
        yield rows.map((row) => toJson(row) as Record<string, Json>)
      }
    }
    groupStart = groupEnd
  }
}

async function readMetadata(file: StoredFile): Promise<FileMetaData> {
  const { key, size } = file.info
  const slice = (from: number, to: number = size) => {
    if (to - from > MAX_FOOTER) throw new Error(`has a footer above ${MAX_FOOTER} bytes`)
    return file.readRange(from, to)
  }
  const problem = (reason: string) => new Error(`"${key}" is no Parquet file: ${reason}.`)
  if (size < 12) throw problem('it is too short')
  try {
    return await parquetMetadataAsync({ byteLength: size, slice }, { initialFetchSize: 64 * 1024 })
  } catch (error) {
    const { message } = error as Error
    if (/^(parquet|has a)/.test(message)) throw problem(message)
    throw error
  }
}

type RowGroup = FileMetaData['row_groups'][number]

/** Holds the bytes of a row group, or requests parts of it if it is too large. */
async function openGroup(file: StoredFile, { columns }: RowGroup) {
  const { key, size: byteLength } = file.info
  const ranges = columns.map(({ meta_data }) => {
    const from = Number(meta_data?.dictionary_page_offset || meta_data?.data_page_offset || 0)
    return { from, to: from + Number(meta_data?.total_compressed_size ?? 0) }
  })
  const start = Math.min(...ranges.map(({ from }) => from))
  const end = Math.max(...ranges.map(({ to }) => to))
  const direct = { byteLength, slice: (from: number, to = byteLength) => file.readRange(from, to) }
  if (end - start > MAX_HELD) {
    if (columns.every(({ offset_index_offset }) => offset_index_offset)) return direct
    const size = Math.round((end - start) / 1024 / 1024)
    throw new Error(
      `"${key}" has a row group of ${size} MiB without an index of its pages. Write it with smaller row groups.`,
    )
  }
  const held = await file.readRange(start, end)
  return {
    byteLength,
    slice: async (from: number, to = byteLength) =>
      from >= start && to <= end ? held.slice(from - start, to - start) : file.readRange(from, to),
  }
}
