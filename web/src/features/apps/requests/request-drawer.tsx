import { Alert, Badge, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { IconFlask, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { WebhookRequestDetails } from '#server/features/import-apps/webhooks/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { CopyIcon } from '../../../ui/page/copy-button.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import { STATUS_COLORS } from '../../../ui/page/status-color.ts'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { usePatchSettings, useReplayRequest, useRequest, useTestRequest } from './api.ts'
import { toBodyValue, toFields } from './content.ts'
import {
  isWebhook,
  ROLES,
  type Role,
  toItemPath,
  toMapping,
  toRemoval,
  toRoles,
  toUse,
} from './mapping.ts'
import { MappingPills } from './mapping-pills.tsx'
import { STATES, toSize } from './request-facts.ts'
import { RequestTest } from './request-test.tsx'
import classes from './requests.module.css'
import { ValueMenu } from './value-menu.tsx'
import { ValueTree } from './value-tree.tsx'

interface RequestDrawerProps {
  readonly config: PipelineConfig
  readonly requestId: number
  readonly onClose: () => void
}

/** Everything about one request, and what its values become. */
export function RequestDrawer({ config, requestId, onClose }: RequestDrawerProps) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title="Request"
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      <QueryContent query={useRequest(config.id, requestId)}>
        {(request) => <RequestDetails config={config} request={request} />}
      </QueryContent>
    </Drawer>
  )
}

interface RequestDetailsProps {
  readonly config: PipelineConfig
  readonly request: WebhookRequestDetails
}

function RequestDetails({ config, request }: RequestDetailsProps) {
  const test = useTestRequest(config.id)
  const replay = useReplayRequest(config.id)
  return (
    <Stack gap="md">
      <Facts request={request} />
      {request.message && (
        <Alert color="red" className={classes.message ?? ''}>
          {request.message}
        </Alert>
      )}
      <Group gap="xs">
        <Button
          leftSection={<IconFlask size={16} />}
          disabled={config.deleted}
          loading={test.isPending}
          onClick={() => test.mutate(request.id)}
        >
          Test
        </Button>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          disabled={!config.enabled || config.deleted}
          loading={replay.isPending}
          onClick={() =>
            replay.mutate(request.id, { onSuccess: () => notify({ message: 'Request replayed.' }) })
          }
        >
          Replay
        </Button>
        <Text size="xs" c="dimmed">
          A test stores nothing. A replay stores no event twice.
        </Text>
      </Group>
      {test.data && <RequestTest key={test.data.id} started={test.data} />}
      <Content config={config} request={request} onChange={test.reset} />
      <Part title="Headers">
        <Pairs of={request.headers} />
      </Part>
    </Stack>
  )
}

function Facts({ request }: { readonly request: WebhookRequestDetails }) {
  const { label, status } = STATES[request.state]
  return (
    <Group gap="xs">
      <Badge color={STATUS_COLORS[status]}>{label}</Badge>
      <span className={classes.method}>{request.method}</span>
      <Text size="sm" c="dimmed">
        {toSize(request.size)}
      </Text>
      <Text size="sm" c="dimmed">
        <TimeAgo time={request.received_at} />
      </Text>
    </Group>
  )
}

interface ContentProps extends RequestDetailsProps {
  /** Called when a value is used for something else. */
  readonly onChange: () => void
}

/** The body and the query. Without a body, the app reads the query. */
function Content({ config, request, onChange }: ContentProps) {
  const patch = usePatchSettings(config.id)
  const mapping = toMapping(config)
  const body = toBodyValue(request)
  const query = toFields(request.query)
  const content = body === undefined ? query : body
  const isDisabled = patch.isPending || config.deleted
  const change = (settings: Readonly<Record<string, unknown>>) => {
    onChange()
    patch.mutate(settings)
  }
  const use = (role: Role, path: string) => change(toUse(mapping, role, path))
  const actions = (value: unknown, keys: readonly string[]) => {
    const path = isWebhook(config) ? toItemPath(content, mapping.list, keys) : undefined
    if (path === undefined) return null
    const possible = toRoles(value, path)
    const uses = ROLES.filter(({ role }) => possible.includes(role)).map(
      ({ role, name, action }) => ({
        name: role === 'properties' ? 'Property' : name,
        action,
        isUsed: mapping[role].includes(path),
        onUse: () => use(role, path),
      }),
    )
    return <ValueMenu path={path} uses={uses} isDisabled={isDisabled} />
  }
  const hasQuery = Object.keys(query).length > 0
  return (
    <>
      {isWebhook(config) && (
        <MappingPills
          rows={ROLES.map(({ role, name, unset }) => ({
            ...{ name, unset, paths: mapping[role] },
            onRemove: (path) => change(toRemoval(mapping, role, path)),
          }))}
          isDisabled={isDisabled}
        />
      )}
      {body !== undefined && (
        <Part title="Body" action={<CopyIcon label="Copy body" value={request.body} />}>
          <ValueTree value={body} actions={actions} />
        </Part>
      )}
      {hasQuery && (
        <Part title="Query">
          {body === undefined ? (
            <ValueTree value={query} actions={actions} />
          ) : (
            <Pairs of={query} />
          )}
        </Part>
      )}
      {body === undefined && !hasQuery && <Text c="dimmed">The request has no body.</Text>}
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

const Part = ({ title, action, children }: PartProps) => (
  <section>
    <Group gap="xs" mb={4}>
      <Title order={3} size="h4">
        {title}
      </Title>
      {action}
    </Group>
    {children}
  </section>
)

const Pairs = ({ of }: { readonly of: Readonly<Record<string, string>> }) => (
  <dl className={classes.pairs}>
    {Object.entries(of).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
