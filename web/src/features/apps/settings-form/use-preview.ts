import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { ConfigPreview } from '#server/features/import-apps/previews/schema.ts'
import { api } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { configPath } from '../keys.ts'
import {
  configFields,
  effectiveValues,
  findMissing,
  isSetting,
  type SettingsDraft,
  toSettingsChange,
} from './setting-rules.ts'

const WAIT_MS = 600
/** Enough for the first rows, and less than a request may have. */
const SAMPLE_BYTES = 192 * 1024

/** Runs the app with the form's settings when typing pauses. Idle without columns to pick and a source to read. */
export function usePreview(config: PipelineConfig, draft: SettingsDraft) {
  const projectId = useProjectId()
  const [settled] = useDebouncedValue(draft, WAIT_MS)
  const { settings, files, removed } = toSettingsChange(config, settled)
  const known = Object.entries(files).map(([key, { name, size, lastModified }]) => [
    ...[key, name, size, lastModified],
  ])
  return useQuery({
    queryKey: ['config-preview', config.id, config.updated_at, settings, removed, known],
    enabled: canPreview(config, settled),
    queryFn: async () =>
      api.post<ConfigPreview>(`${configPath(projectId, config.id)}/preview`, {
        ...{ settings, removed, files: Object.fromEntries(await toSamples(files)) },
      }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
  })
}

/** Tells whether the app lists columns and has a file or an address to read them from. */
export function canPreview(config: PipelineConfig, draft: SettingsDraft): boolean {
  const fields = configFields(config).filter(isSetting)
  const values = effectiveValues(config, draft)
  const hasSource = fields.some(
    ({ key, type, address }) => (type === 'attachment' || address) && Boolean(values[key]),
  )
  const missing = findMissing(config, draft)
  // a required column is chosen from what the preview finds
  const isComplete = fields.every(({ key, column }) => column || !missing[key])
  return !config.deleted && isComplete && hasSource && fields.some(({ column }) => column)
}

const toSamples = (files: Readonly<Record<string, File>>) =>
  Promise.all(
    Object.entries(files).map(async ([key, file]) => [
      key,
      { name: file.name, content: toBase64(await readSample(file)) },
    ]),
  )

const NEW_LINE = 10

/** Reads the beginning of a file, up to the end of a line. */
async function readSample(file: File): Promise<Uint8Array> {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer())
  const end = file.size > bytes.length ? bytes.lastIndexOf(NEW_LINE) + 1 : 0
  return end > 0 ? bytes.subarray(0, end) : bytes
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
