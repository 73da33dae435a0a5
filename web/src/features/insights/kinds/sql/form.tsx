import { Button, Group, Kbd, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import { useNamesLoader } from '../../definitions-api.ts'
import { useFieldError } from '../../editor/errors.tsx'
import type { FormProps } from '../../editor/forms/section.tsx'

const SqlEditor = lazy(() => import('./sql-editor.tsx'))

export default function SqlForm({ source, onChange, onRun, isRunning }: FormProps<HogQLQuery>) {
  const loadNames = useNamesLoader()
  const problem = useFieldError('query')
  return (
    <Stack gap="xs">
      <Suspense fallback={<Skeleton h={180} />}>
        <SqlEditor
          text={source.query}
          loadNames={loadNames}
          onChange={(query) => onChange({ ...source, query })}
          onRun={onRun}
        />
      </Suspense>
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          One read-only SELECT over <code>events</code>.
        </Text>
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} />}
          rightSection={
            <Kbd size="xs" visibleFrom="sm">
              Ctrl Enter
            </Kbd>
          }
          loading={isRunning}
          onClick={() => onRun(source.query)}
        >
          Run
        </Button>
      </Group>
    </Stack>
  )
}
