import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '#server/features/notifications/deliveries/schema.ts'
import { useProjectId } from '../../api/project.ts'
import classes from '../../ui/page/panel.module.css'
import { Loading, QueryContent } from '../../ui/page/states.tsx'
import { STATUS_COLORS } from '../../ui/page/status-color.ts'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { deliveriesQuery, useRetryDelivery } from './api.ts'
import { EVENTS, targetLabel, toDeliveryStatus } from './labels.ts'
import type { NotificationId, NotificationKind } from './lists.ts'

interface DeliveriesProps {
  readonly kind: NotificationKind
  readonly id: NotificationId
}

const LOG = 50

export function LastDelivery({ kind, id }: DeliveriesProps) {
  const { data } = useQuery(deliveriesQuery(useProjectId(), kind, id, 1))
  const last = data?.results[0]
  if (!data) return null
  if (!last) return <div>Nothing sent yet.</div>
  return (
    <div>
      Last sent <TimeAgo time={last.created_at} />: {toDeliveryStatus(last).label}
    </div>
  )
}

export function Deliveries({ kind, id }: DeliveriesProps) {
  const deliveries = useQuery(deliveriesQuery(useProjectId(), kind, id, LOG))
  return (
    <Stack gap="xs" mt="sm">
      <QueryContent query={deliveries} loading={<Loading lines={3} />}>
        {({ results, count }) => (
          <>
            {count === 0 && (
              <Text size="sm" c="dimmed">
                Nothing sent yet. Send a test to check delivery.
              </Text>
            )}
            {results.map((delivery) => (
              <DeliveryLine key={delivery.id} delivery={delivery} kind={kind} id={id} />
            ))}
            {count > LOG && (
              <Text size="xs" c="dimmed">
                Showing the latest {LOG} of {count}.
              </Text>
            )}
          </>
        )}
      </QueryContent>
    </Stack>
  )
}

function DeliveryLine({ delivery, kind, id }: DeliveriesProps & { readonly delivery: Delivery }) {
  const retry = useRetryDelivery(kind, id)
  const { event, target, state, attempt, error, created_at, next_attempt_at } = delivery
  const { label, status } = toDeliveryStatus(delivery)
  return (
    <Group gap="xs" justify="space-between">
      <Group gap="xs" flex={1} miw={220}>
        <Badge color={STATUS_COLORS[status]}>{label}</Badge>
        <Text size="sm" flex={1} miw={160} className={classes.about}>
          {EVENTS[event] ?? event} to {targetLabel(target)}, <TimeAgo time={created_at} />
          {error && (
            <Text span inherit c="dimmed">
              {' '}
              · {error} (attempt {attempt}
              {next_attempt_at && state === 'queued' && (
                <>
                  , next <TimeAgo time={next_attempt_at} />
                </>
              )}
              )
            </Text>
          )}
        </Text>
      </Group>
      {state !== 'delivered' && (
        <Button
          size="compact-xs"
          variant="default"
          loading={retry.isPending}
          onClick={() => retry.mutate(delivery.id)}
        >
          Retry
        </Button>
      )}
    </Group>
  )
}
