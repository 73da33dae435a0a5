import { Alert, Badge, Group, Loader, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ConfigPreview, PreviewColumn } from '#server/features/import-apps/previews/schema.ts'
import { Card } from '../../../ui/page/card.tsx'
import { PreviewedEvents, SkippedTable } from '../runs/preview-tables.tsx'

const SHOWN = 5

/** The first events as they would be stored, which follow what is typed. */
export function PreviewCard({ preview }: { readonly preview: UseQueryResult<ConfigPreview> }) {
  const { data, error, isFetching } = preview
  return (
    <section aria-label="Preview" aria-busy={isFetching}>
      <Card p="lg">
        <Group gap="xs" mb="xs">
          <Title order={2} size="h4">
            Preview
          </Title>
          {isFetching && <Loader size={14} />}
          <Text size="xs" c="dimmed">
            Nothing is stored.
          </Text>
        </Group>
        {error ? <Text size="sm">{error.message}</Text> : data && <Content preview={data} />}
      </Card>
    </section>
  )
}

function Content({ preview }: { readonly preview: ConfigPreview }) {
  const { state, message, columns, events, count, skipped } = preview
  return (
    <Stack gap="sm">
      {columns.length > 0 && <Columns columns={columns} />}
      {state === 'failed' && count === 0 && (
        <Alert color="red" role="alert">
          {message}
        </Alert>
      )}
      {count > 0 && <PreviewedEvents events={events.slice(0, SHOWN)} total={count} />}
      {skipped.length > 0 && <SkippedTable rows={skipped.slice(0, SHOWN)} />}
    </Stack>
  )
}

const Columns = ({ columns }: { readonly columns: readonly PreviewColumn[] }) => (
  <Group gap={6} component="ul" aria-label="Columns" p={0} m={0}>
    {columns.slice(0, 40).map(({ name, type }) => (
      <Badge key={name} component="li" variant="light" color="gray" tt="none" fw={400}>
        {name}{' '}
        <Text component="span" size="xs" c="dimmed" inherit>
          {type}
        </Text>
      </Badge>
    ))}
  </Group>
)
