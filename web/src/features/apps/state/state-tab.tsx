import { Button, Group, JsonInput, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { ImportState } from '#server/features/import-apps/state/schema.ts'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { notify } from '../../../ui/dialog/notify.ts'
import { Card } from '../../../ui/page/card.tsx'
import { ErrorAlert, QueryContent } from '../../../ui/page/states.tsx'
import { useDeleteState, useImportState, usePutState } from './api.ts'

export function StateTab({ config }: { readonly config: PipelineConfig }) {
  const state = useImportState(config.id)
  return (
    <QueryContent query={state}>
      {(known) => <StateForm key={known.version} config={config} known={known} />}
    </QueryContent>
  )
}

interface StateFormProps {
  readonly config: PipelineConfig
  readonly known: ImportState
}

/** Shows what the app remembers, to change it or to start again from nothing. */
function StateForm({ config, known: { version, state } }: StateFormProps) {
  const put = usePutState(config.id)
  const stored = JSON.stringify(state, null, 2)
  const [text, setText] = useState(stored)
  const [isResetting, setResetting] = useState(false)
  const parsed = parseState(text)
  const save = () =>
    parsed &&
    put.mutate({ version, state: parsed }, { onSuccess: () => notify({ message: 'State saved.' }) })
  return (
    <Card p="lg" maw={720}>
      <Stack>
        <Title order={2}>State</Title>
        <Text c="dimmed">
          What the app remembers between its runs, such as how far it has read. It can be changed
          while no run is active.
        </Text>
        {put.error && <ErrorAlert error={put.error} />}
        <JsonInput
          label="State as JSON"
          autosize
          minRows={4}
          maxRows={24}
          value={text}
          onChange={setText}
          error={parsed ? undefined : 'Enter a JSON object.'}
        />
        <Group>
          <Button
            onClick={save}
            loading={put.isPending}
            disabled={parsed === undefined || text === stored}
          >
            Save state
          </Button>
          <Button
            variant="default"
            onClick={() => setResetting(true)}
            disabled={Object.keys(state).length === 0}
          >
            Reset state
          </Button>
        </Group>
      </Stack>
      {isResetting && (
        <ResetState configId={config.id} version={version} onClose={() => setResetting(false)} />
      )}
    </Card>
  )
}

interface ResetStateProps {
  readonly configId: number
  readonly version: number
  readonly onClose: () => void
}

function ResetState({ configId, version, onClose }: ResetStateProps) {
  const remove = useDeleteState(configId)
  const confirm = () =>
    remove.mutate(version, {
      onSuccess: () => {
        notify({ message: 'State deleted.' })
        onClose()
      },
    })
  return (
    <DangerDialog
      title="Reset state?"
      yes="Reset state"
      running={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        The next run starts as the first did. Events that it captures again under the same UUIDs are
        not stored twice.
      </Text>
    </DangerDialog>
  )
}

function parseState(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
