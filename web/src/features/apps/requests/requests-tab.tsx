import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconRefresh, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { AddressCard } from './address-card.tsx'
import { type RequestState, useFailedCount, useReplayFailed, useRequests } from './api.ts'
import { STATES } from './request-facts.ts'
import { RequestList } from './request-list.tsx'

const RequestDrawer = lazyComponent(
  async () => (await import('./request-drawer.tsx')).RequestDrawer,
)

type Filter = RequestState | 'all'

const FILTERS: { value: Filter; label: string }[] = [
  { value: 'all', label: 'All' },
  ...(['waiting', 'done', 'failed'] as const).map((value) => ({
    value,
    label: STATES[value].label,
  })),
]

/** The address of an import app, and the requests that other services have sent to it. */
export function RequestsTab({ config }: { readonly config: PipelineConfig }) {
  const [filter, setFilter] = useState<Filter>('all')
  const [opened, setOpened] = useState<number>()
  const listed = useRequests(config.id, filter === 'all' ? undefined : filter)
  return (
    <Stack>
      <AddressCard config={config} />
      <QueryContent query={listed}>
        {({ pages }) => {
          const requests = pages.flatMap(({ results }) => results)
          if (requests.length === 0 && filter === 'all') return <NoRequests />
          return (
            <>
              <Group justify="space-between">
                <SegmentedControl
                  aria-label="State"
                  data={FILTERS}
                  value={filter}
                  onChange={(next) => setFilter(next as Filter)}
                />
                <ReplayFailed config={config} />
              </Group>
              {requests.length > 0 ? (
                <RequestList requests={requests} onOpen={setOpened} />
              ) : (
                <Card>
                  <Text c="dimmed">No requests in this state.</Text>
                </Card>
              )}
              <LoadMore query={listed} />
            </>
          )
        }}
      </QueryContent>
      {opened !== undefined && (
        <RequestDrawer config={config} requestId={opened} onClose={() => setOpened(undefined)} />
      )}
    </Stack>
  )
}

const NoRequests = () => (
  <EmptyState icon={IconWebhook} title="Waiting for the first request…">
    Copy the address into the other service. Its requests appear here within seconds.
  </EmptyState>
)

function ReplayFailed({ config }: { readonly config: PipelineConfig }) {
  const failed = useFailedCount(config.id)
  const replay = useReplayFailed(config.id)
  if (failed === 0) return null
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={14} />}
      disabled={!config.enabled}
      loading={replay.isPending}
      onClick={() =>
        replay.mutate(undefined, {
          onSuccess: ({ replayed }) =>
            notify({ message: `${pluralize(replayed, 'request')} replayed.` }),
        })
      }
    >
      Replay failed ({failed.toLocaleString('en')})
    </Button>
  )
}
