import { Badge } from '@mantine/core'
import type { WebhookRequest } from '#server/features/import-apps/webhooks/schema.ts'
import { STATUS_COLORS } from '../../../ui/page/status-color.ts'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { STATES, toSize } from './request-facts.ts'
import classes from './requests.module.css'

interface RequestListProps {
  readonly requests: readonly WebhookRequest[]
  readonly onOpen: (id: number) => void
}

/** Requests, newest first. */
export const RequestList = ({ requests, onOpen }: RequestListProps) => (
  <ul className={classes.list} aria-label="Requests">
    {requests.map((request) => (
      <li key={request.id}>
        <button type="button" className={classes.row} onClick={() => onOpen(request.id)}>
          <RequestRow request={request} />
        </button>
      </li>
    ))}
  </ul>
)

function RequestRow({ request }: { readonly request: WebhookRequest }) {
  const { label, status } = STATES[request.state]
  return (
    <>
      <Badge color={STATUS_COLORS[status]}>{label}</Badge>
      <span className={classes.method}>{request.method}</span>
      <span className={classes.message}>{request.message}</span>
      <span className={classes.fact}>{toSize(request.size)}</span>
      <TimeAgo time={request.received_at} className={classes.fact} />
    </>
  )
}
