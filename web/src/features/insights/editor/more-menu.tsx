import { ActionIcon, CopyButton, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconBell,
  IconCalendar,
  IconCheck,
  IconCopy,
  IconCopyPlus,
  IconDots,
  IconDownload,
  IconShare,
  IconTerminal2,
  IconTrash,
  IconTrashOff,
} from '@tabler/icons-react'
import { toInsightTitle } from '#model/insight-title.ts'
import type { QueryNode } from '#model/query-kinds/index.ts'
import { useProjectId } from '../../../api/project.ts'
import { toCurl } from '../../../ui/page/copy-curl.tsx'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { exportPath, type Insight, queryPath } from './api.ts'

interface MoreMenuProps {
  readonly insight: Insight | undefined
  readonly node: QueryNode
  readonly canEdit: boolean
  readonly onSaveAsNew: () => void
  readonly onDuplicate: () => void
  readonly onTrash: () => void
}

const NoticesDrawer = lazyComponent(
  async () => (await import('../../notifications/notifications-drawer.tsx')).NotificationsDrawer,
)

const AnnotationsDialog = lazyComponent(
  async () => (await import('../../annotations/annotations-dialog.tsx')).AnnotationsDialog,
)

const ShareDialog = lazyComponent(
  async () => (await import('../../sharing/insight-share-dialog.tsx')).default,
)

const FORMATS = ['csv', 'png', 'svg', 'json']

export function InsightMenu({
  insight,
  node,
  canEdit,
  onSaveAsNew,
  onDuplicate,
  onTrash,
}: MoreMenuProps) {
  const projectId = useProjectId()
  const curl = toCurl(location.origin, {
    method: 'POST',
    path: queryPath(projectId),
    body: { query: node },
  })
  const [isSending, sending] = useDisclosure()
  const [isAnnotating, annotating] = useDisclosure()
  const [isSharing, sharing] = useDisclosure()
  return (
    <>
      <Menu width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {insight && (
            <>
              <Menu.Item leftSection={<IconCopyPlus size={14} />} onClick={onSaveAsNew}>
                Save as new insight
              </Menu.Item>
              <Menu.Item leftSection={<IconCopy size={14} />} onClick={onDuplicate}>
                Duplicate
              </Menu.Item>
              {!insight.deleted && (
                <Menu.Item leftSection={<IconShare size={14} />} onClick={sharing.open}>
                  Share
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconBell size={14} />} onClick={sending.open}>
                Alerts and subscriptions
              </Menu.Item>
              <Menu.Item leftSection={<IconCalendar size={14} />} onClick={annotating.open}>
                Annotations
              </Menu.Item>
              <Menu.Label>Export saved insight</Menu.Label>
              {FORMATS.map((format) => (
                <Menu.Item
                  key={format}
                  component="a"
                  href={exportPath(projectId, insight.short_id, format)}
                  download
                  leftSection={<IconDownload size={14} />}
                >
                  {format.toUpperCase()}
                </Menu.Item>
              ))}
            </>
          )}
          <CopyButton value={curl} timeout={2000}>
            {({ copied, copy }) => (
              <Menu.Item
                closeMenuOnClick={false}
                leftSection={copied ? <IconCheck size={14} /> : <IconTerminal2 size={14} />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy as curl'}
              </Menu.Item>
            )}
          </CopyButton>
          {insight && (
            <>
              <Menu.Divider />
              <Menu.Item
                color={insight.deleted ? undefined : 'red'}
                disabled={!canEdit}
                leftSection={insight.deleted ? <IconTrashOff size={14} /> : <IconTrash size={14} />}
                onClick={onTrash}
              >
                {insight.deleted ? 'Restore' : 'Move to trash'}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {insight && isSharing && <ShareDialog insight={insight} onClose={sharing.close} />}
      {insight && isAnnotating && (
        <AnnotationsDialog of={{ insight: insight.id }} onClose={annotating.close} />
      )}
      {insight && isSending && (
        <NoticesDrawer
          of={{
            insight: insight.id,
            name: toInsightTitle(insight),
          }}
          onClose={sending.close}
        />
      )}
    </>
  )
}
