import { Anchor, Badge } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { toRangeText } from '#model/usual-range.ts'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { toExactTime } from '../../ui/page/exact-time.ts'
import { STATUS_COLORS } from '../../ui/page/status-color.ts'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { useZone } from '../../ui/page/zone.ts'
import { AlertForm } from './alert-form.tsx'
import { ImportAlertForm } from './import-alert-form.tsx'
import { alertName, toCondition, toRecipients, toWatched } from './labels.ts'
import { type Subject, useAlerts } from './lists.ts'
import { NotificationList } from './notification-list.tsx'
import { NotificationRow } from './notification-row.tsx'
import { SnoozeItems } from './snooze-items.tsx'

const STATES = {
  Firing: { label: 'Firing', status: 'error' },
  Errored: { label: 'Check failed', status: 'warning' },
  Snoozed: { label: 'Snoozed', status: 'neutral' },
  'Not firing': { label: 'OK', status: 'success' },
} as const

/** Alerts of one insight or import, or of the whole project. */
export function AlertList({ of }: { readonly of?: Subject }) {
  return (
    <NotificationList<Alert>
      title="Alerts"
      about={
        of?.config === undefined
          ? "Get notified when an insight's value crosses a threshold or is unusual."
          : 'Get notified when this import fails or is late.'
      }
      noun="alert"
      empty={{
        icon: IconBell,
        children: 'Create an alert to be notified by webhook or e-mail.',
      }}
      of={useAlerts(of)}
      nameOf={alertName}
      row={(alert, actions) => (
        <NotificationRow
          key={alert.id}
          kind="alerts"
          item={alert}
          name={alertName(alert)}
          {...actions}
          items={alert.enabled && <SnoozeItems id={alert.id} state={alert.state} />}
          badge={
            <Badge ml={6} color={STATUS_COLORS[STATES[alert.state].status]}>
              {STATES[alert.state].label}
            </Badge>
          }
          about={<About alert={alert} />}
          subject={!of && <SubjectLink alert={alert} />}
        />
      )}
      form={(item, onDone) =>
        (item?.on ?? of?.config) ? (
          <ImportAlertForm {...(item && { item })} of={of} onDone={onDone} />
        ) : (
          <AlertForm {...(item && { item })} of={of} onDone={onDone} />
        )
      }
    />
  )
}

function SubjectLink({ alert: { insight, source, resource_name } }: { readonly alert: Alert }) {
  const projectId = `${useProjectId()}`
  if (source.kind === 'import') {
    const configId = `${source.config}`
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/project/$projectId/apps/$configId"
            params={{ projectId, configId }}
            search={{ tab: 'health' }}
            {...props}
          />
        )}
      >
        {resource_name || 'Import'}
      </Anchor>
    )
  }
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to="/project/$projectId/insights/$shortId"
          params={{ projectId, shortId: insight?.short_id ?? '' }}
          {...props}
        />
      )}
    >
      {resource_name || 'Untitled insight'}
    </Anchor>
  )
}

function About({ alert }: { readonly alert: Alert }) {
  const { state, last_checked_at, next_check_at, last_value, usual_range } = alert
  const { last_error, snoozed_until } = alert
  const zone = useZone()
  return (
    <>
      {alert.on ? toWatched(alert.on) : toCondition(alert)} · to {toRecipients(alert).join(', ')} ·{' '}
      {last_checked_at ? (
        <>
          checked <TimeAgo time={last_checked_at} />
        </>
      ) : (
        'not checked yet'
      )}
      {next_check_at && state !== 'Snoozed' && !alert.on && (
        <>
          {' '}
          · next check <TimeAgo time={next_check_at} />
        </>
      )}
      {last_value !== null && ` · last value ${last_value.toLocaleString('en')}`}
      {usual_range && `, usually ${toRangeText(usual_range)}`}
      {last_error && ` · ${last_error}`}
      {state === 'Snoozed' && snoozed_until && ` · until ${toExactTime(snoozed_until, zone)}`}
    </>
  )
}
