import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconAdjustmentsOff } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { PreviewColumn } from '#server/features/import-apps/previews/schema.ts'
import { ApiError } from '../../../api/client.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { useUnsavedGuard } from '../../../ui/form/unsaved-guard.ts'
import { Card } from '../../../ui/page/card.tsx'
import { EmptyState } from '../../../ui/page/states.tsx'
import { useRunJob, useSaveSettings } from '../api.ts'
import { canRunDirectly } from '../status.ts'
import { findProblems } from './column-problems.ts'
import { MigrationAlert } from './migration-alert.tsx'
import { PreviewCard } from './preview-card.tsx'
import { SettingField } from './setting-field.tsx'
import {
  configFields,
  effectiveValues,
  findMissing,
  findMissingReentries,
  findReentries,
  isChanged,
  isRequired,
  isSetting,
  isVisible,
  type SettingsDraft,
  toSettingsChange,
  toSettingsDraft,
} from './setting-rules.ts'
import { canPreview, usePreview } from './use-preview.ts'

interface SettingsTabProps {
  readonly config: PipelineConfig
  readonly onRun: () => void
}

/** Moves to the first field with an error, which may be out of sight. */
const focusFirstError = (form: HTMLFormElement): void => {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

/** Form generated from the app's config schema. */
export function SettingsTab({ config, onRun }: SettingsTabProps) {
  const [draft, setDraft] = useState<SettingsDraft>(() => toSettingsDraft(config))
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({})
  const save = useSaveSettings(config.id)
  const run = useRunJob(config.id)
  const values = effectiveValues(config, draft)
  const preview = usePreview(config, draft)
  const hasPreview = canPreview(config, draft)
  const problems = hasPreview ? listProblems(config, values, preview) : {}
  useUnsavedGuard(isChanged(config, draft))
  const reentries = findReentries(config, draft, isAdmin(useMe()))
  const fields = configFields(config).filter(
    (field) => isVisible(field, values) || Object.hasOwn(reentries, field.key ?? ''),
  )

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { submitter } = event.nativeEvent as SubmitEvent
    const action = submitter?.getAttribute('value')
    const isTest = action === 'test'
    const isRun = action === 'run'
    const missingFields = {
      ...(config.enabled || isRun || isTest ? findMissing(config, draft) : {}),
      ...findMissingReentries(reentries, draft),
    }
    setMissing(missingFields)
    if (Object.keys(missingFields).length > 0) return focusFirstError(form)
    const change = { ...toSettingsChange(config, draft), ...(isRun && { enabled: true }) }
    const saved = await save.mutateAsync(change).catch(() => undefined) // shown below the fields
    if (!saved) return
    setDraft(toSettingsDraft(saved))
    if (!isRun && !isTest) return notify({ message: 'Settings saved.' })
    run.mutateAsync({ isTest }).then(onRun, () => {})
  }

  if (config.plugin_info === '') {
    return (
      <EmptyState icon={IconAdjustmentsOff} title="App not installed">
        Settings are kept. Install the app to edit them.
      </EmptyState>
    )
  }
  if (fields.length === 0) {
    return (
      <EmptyState icon={IconAdjustmentsOff} title="No settings">
        This app needs no settings. Enable it or run a job.
      </EmptyState>
    )
  }
  const problem = save.error instanceof ApiError ? save.error : undefined
  const isAtField = fields.some(({ key }) => key !== undefined && key === problem?.attr)
  return (
    <SimpleGrid cols={{ base: 1, xl: hasPreview ? 2 : 1 }} maw={hasPreview ? 1440 : 720}>
      <Stack maw={720}>
        <MigrationAlert config={config} />
        <Card p="lg">
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              {fields.map((field, index) => (
                <SettingField
                  key={field.key ?? `text ${index}`}
                  field={field}
                  config={config}
                  draft={draft}
                  isRequired={isRequired(field, values)}
                  reentry={reentries[field.key ?? '']}
                  columns={preview.data?.columns ?? NO_COLUMNS}
                  error={
                    missing[field.key ?? ''] ??
                    problems[field.key ?? ''] ??
                    (field.key !== undefined && field.key === problem?.attr
                      ? problem.message
                      : undefined)
                  }
                  onChange={setDraft}
                />
              ))}
              {save.error && !isAtField && (
                <Alert color="red" role="alert">
                  {save.error.message}
                </Alert>
              )}
              <SubmitButtons config={config} isSaving={save.isPending} isStarting={run.isPending} />
            </Stack>
          </form>
        </Card>
      </Stack>
      {hasPreview && <PreviewCard preview={preview} />}
    </SimpleGrid>
  )
}

const NO_COLUMNS: readonly PreviewColumn[] = []

/** Finds what the preview says about each field, by key. */
function listProblems(
  config: PipelineConfig,
  values: ReturnType<typeof effectiveValues>,
  { data, error }: ReturnType<typeof usePreview>,
): Readonly<Record<string, string>> {
  if (error instanceof ApiError && error.attr) return { [error.attr]: error.message }
  return data ? findProblems(configFields(config).filter(isSetting), values, data) : {}
}

interface SubmitButtonsProps {
  readonly config: PipelineConfig
  readonly isSaving: boolean
  /** A run is being started. */
  readonly isStarting: boolean
}

/** Save, test and run; the value of a button tells which was pressed. */
function SubmitButtons({ config, isSaving, isStarting }: SubmitButtonsProps) {
  const { enabled, deleted } = config
  const canRun = canRunDirectly(config)
  return (
    <Group gap="sm" mt="xs">
      <Button type="submit" value="save" loading={isSaving} disabled={deleted}>
        Save settings
      </Button>
      {canRun &&
        [
          ['test', 'Save and test'],
          ['run', enabled ? 'Save and run' : 'Save, enable and run'],
        ].map(([value, label]) => (
          <Button
            key={value}
            type="submit"
            value={value}
            variant="default"
            loading={isStarting}
            disabled={deleted || isSaving}
          >
            {label}
          </Button>
        ))}
      <Text size="xs" c="dimmed">
        {enabled ? '' : 'Runs only while enabled. '}
        {canRun && 'A test shows the first events and stores nothing.'}
      </Text>
    </Group>
  )
}
