import { Alert, Button, Group, Menu, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconDownload, IconFlask } from '@tabler/icons-react'
import type { UseMutationResult } from '@tanstack/react-query'
import type { DraftOutcome } from '#server/features/import-apps/drafts/schema.ts'
import { FormError } from '../../../ui/form/form-error.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { saveFile } from '../../../ui/page/save-file.ts'
import { PreviewedEvents, SkippedTable } from '../runs/preview-tables.tsx'
import type { Draft } from './draft.ts'
import { toFiles } from './files.ts'
import { findMissing } from './missing.ts'

interface FinishCardProps {
  readonly draft: Draft
  readonly test: UseMutationResult<DraftOutcome, Error, Draft>
  readonly save: { readonly isPending: boolean; readonly error: Error | null }
  readonly onChange: (fields: Partial<Draft>) => void
  readonly onSave: () => void
}

/** Tests the app, and saves it or its files. */
export function FinishCard({ draft, test, save, onChange, onSave }: FinishCardProps) {
  const missing = findMissing(draft)
  return (
    <Card p="lg">
      <Stack gap="sm">
        <Title order={2}>Test and save</Title>
        <TextInput
          label="Name of the app"
          maxLength={200}
          maw={400}
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconFlask size={16} />}
            disabled={missing !== undefined}
            loading={test.isPending}
            onClick={() => test.mutate(draft)}
          >
            Test
          </Button>
          <Button disabled={missing !== undefined} loading={save.isPending} onClick={onSave}>
            Save as app
          </Button>
          <ExportMenu draft={draft} isDisabled={missing !== undefined} />
        </Group>
        <Text size="sm" c="dimmed">
          {missing ?? 'A test reads up to 1,000 rows and stores nothing.'}
        </Text>
        <FormError error={test.error ?? save.error} />
        {test.data && <TestOutcome outcome={test.data} />}
      </Stack>
    </Card>
  )
}

const ExportMenu = ({ draft, isDisabled }: { draft: Draft; isDisabled: boolean }) => (
  <Menu>
    <Menu.Target>
      <Button variant="default" leftSection={<IconDownload size={16} />} disabled={isDisabled}>
        Export file
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {['connector.yaml', 'plugin.json'].map((name) => (
        <Menu.Item
          key={name}
          onClick={() => saveFile(name, toFiles(draft)[name] ?? '', 'text/plain')}
        >
          {name}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

const TestOutcome = ({ outcome }: { readonly outcome: DraftOutcome }) => (
  <Stack gap="sm" role="region" aria-label="Test" aria-live="polite">
    {outcome.state === 'failed' ? (
      <Alert color="red" title="Test failed">
        {outcome.message}
      </Alert>
    ) : (
      <Text size="sm" c="dimmed">
        Test: nothing was stored.
      </Text>
    )}
    {outcome.state === 'succeeded' && (
      <PreviewedEvents events={outcome.events} total={outcome.count} />
    )}
    {outcome.skipped_count > 0 && (
      <section>
        <Title order={3} size="h4" mb={4}>
          Skipped rows: {outcome.skipped_count}
        </Title>
        <SkippedTable rows={outcome.skipped} />
      </section>
    )}
  </Stack>
)
