import { Button, CloseButton, Text } from '@mantine/core'
import { IconPin, IconPinnedOff, IconRestore, IconTag, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import type { DashboardWrite } from '#server/features/dashboards/dashboards/schema.ts'
import classes from '../../ui/list/list.module.css'
import { TagsDialog } from '../../ui/list/tags.tsx'
import { type DashboardItem, useDashboardTags, useUpdateDashboards } from './api.ts'
import { canEditDashboard } from './dashboard-row.tsx'

interface BulkBarProps {
  readonly items: readonly DashboardItem[]
  readonly isTrash: boolean
  readonly onTrash: (deleted: boolean) => void
  readonly onDone: () => void
}

/** Actions for all selected dashboards. */
export function BulkBar({ items, isTrash, onTrash, onDone }: BulkBarProps) {
  const change = useUpdateDashboards()
  const known = useDashboardTags()
  const [isTagging, setTagging] = useState(false)
  const isLocked = !items.every(canEditDashboard)
  const changeAll = (toChange: (item: DashboardItem) => DashboardWrite, onSuccess?: () => void) => {
    const byId = new Map(items.map((item) => [item.id, item]))
    const ids = [...byId.keys()]
    change.mutate({ ids, change: (id) => toChange(byId.get(id) as DashboardItem) }, { onSuccess })
  }
  const button = { size: 'xs', variant: 'default', disabled: isLocked || change.isPending } as const
  return (
    <section className={classes.bulk} aria-label="Selected dashboards">
      <Text size="sm" fw={500} className="tabular">
        {items.length} selected
      </Text>
      {isTrash ? (
        <Button {...button} leftSection={<IconRestore size={14} />} onClick={() => onTrash(false)}>
          Restore
        </Button>
      ) : (
        <>
          <Button {...button} leftSection={<IconTag size={14} />} onClick={() => setTagging(true)}>
            Add tags
          </Button>
          <Button
            {...button}
            leftSection={<IconPin size={14} />}
            onClick={() => changeAll(() => ({ pinned: true }))}
          >
            Pin
          </Button>
          <Button
            {...button}
            leftSection={<IconPinnedOff size={14} />}
            onClick={() => changeAll(() => ({ pinned: false }))}
          >
            Unpin
          </Button>
          <Button {...button} leftSection={<IconTrash size={14} />} onClick={() => onTrash(true)}>
            Move to trash
          </Button>
        </>
      )}
      <CloseButton size="sm" aria-label="Clear selection" onClick={onDone} />
      {isTagging && (
        <TagsDialog
          title={`Add tags to ${pluralize(items.length, 'dashboard')}`}
          known={known.data ?? []}
          initial={[]}
          yes="Add tags"
          saving={change}
          onSave={(added) =>
            changeAll(
              ({ tags }) => ({ tags: [...new Set([...tags, ...added])] }),
              () => setTagging(false),
            )
          }
          onClose={() => setTagging(false)}
        />
      )}
    </section>
  )
}
