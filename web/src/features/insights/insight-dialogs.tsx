import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../ui/dialog/notify.ts'
import { TagsDialog } from '../../ui/list/tags.tsx'
import { ErrorAlert } from '../../ui/page/states.tsx'
import { DashboardSelect } from '../dashboard-list/dashboard-select.tsx'
import { insightName } from './insight-row.tsx'
import { type InsightItem, useInsightTags, useUpdateInsight } from './list-api.ts'

interface DialogProps {
  readonly item: InsightItem
  readonly onClose: () => void
}

export function InsightTagsDialog({ item, onClose }: DialogProps) {
  const change = useUpdateInsight({ showsError: true })
  const known = useInsightTags()
  return (
    <TagsDialog
      title={`Tags for ${insightName(item)}`}
      known={known.data ?? []}
      initial={item.tags}
      yes="Save"
      isPending={change.isPending}
      error={change.error}
      onSave={(tags) =>
        change.mutate({ id: item.id, change: { tags: [...tags] } }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  )
}

export function AddToDashboardDialog({ item, onClose }: DialogProps) {
  const change = useUpdateInsight({ showsError: true })
  const [dashboard, setDashboard] = useState<number | null>(null)
  const isThere = dashboard !== null && item.dashboards.includes(dashboard)
  const add = (id: number) =>
    change.mutate(
      { id: item.id, change: { dashboards: [...item.dashboards, id] } },
      {
        onSuccess: () => {
          notify({ message: `Added “${insightName(item)}” to the dashboard` })
          onClose()
        },
      },
    )
  return (
    <Modal opened onClose={onClose} title={`Add “${insightName(item)}” to dashboard`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (dashboard !== null && !isThere) add(dashboard)
        }}
      >
        <Stack>
          {change.error && <ErrorAlert error={change.error} />}
          <DashboardSelect
            label="Dashboard"
            value={dashboard}
            onChange={setDashboard}
            error={isThere ? 'Already on this dashboard.' : undefined}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              disabled={dashboard === null || isThere}
              loading={change.isPending}
            >
              Add insight
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
