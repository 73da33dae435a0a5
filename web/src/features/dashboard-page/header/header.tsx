import { ActionIcon, Box, Button, Group, Text, Title, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPin, IconPinFilled, IconShare } from '@tabler/icons-react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { EditableText } from '../../../ui/form/editable-text.tsx'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import type { DashboardSearch } from '../../dashboard-list/search.ts'
import { useDashboardContext } from '../context.ts'
import type { EditorState } from '../editing/editor.ts'
import { loadDialogs, loadDialogsLater } from '../load-dialogs.ts'
import classes from '../page.module.css'
import { AddMenu } from './add-menu.tsx'
import { DashboardMenu } from './more-menu.tsx'
import { RefreshButton } from './refresh-button.tsx'
import { SaveState, UndoRedo } from './save-state.tsx'
import { Tags } from './tags.tsx'

const Comments = lazyComponent(async () => (await loadDialogsLater()).Comments)
const ShareDialog = lazyComponent(async () => (await loadDialogs()).ShareDialog)

interface DashboardHeaderProps {
  readonly dashboard: Dashboard
  readonly state: EditorState
  readonly search: DashboardSearch
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
}

export function DashboardHeader(props: DashboardHeaderProps) {
  const { dashboard, state } = props
  const { canEdit, isViewer, isPhone } = useDashboardContext()
  const [isSharing, sharing] = useDisclosure()
  return (
    <div className={classes.header}>
      <Names dashboard={dashboard} />
      <Group gap="xs" wrap="nowrap" className="no-print">
        {!isPhone && <SaveState state={state} />}
        <Comments dashboard={dashboard} shown={props.search.comments} />
        {canEdit && <UndoRedo state={state} />}
        {!isPhone && <RefreshButton {...props} />}
        {!isPhone && !isViewer && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconShare size={16} />}
            onClick={sharing.open}
          >
            Share
          </Button>
        )}
        {canEdit && <AddMenu />}
        <DashboardMenu {...props} onShare={sharing.open} />
      </Group>
      {isPhone && canEdit && <SaveState state={state} />}
      {isSharing && <ShareDialog dashboardId={dashboard.id} opened onClose={sharing.close} />}
    </div>
  )
}

function Names({ dashboard }: { readonly dashboard: Dashboard }) {
  const { editor, canEdit } = useDashboardContext()
  const { name, description } = dashboard
  return (
    <Box className={classes.names}>
      <Group gap={6} wrap="nowrap" align="center">
        <Title order={1}>
          {canEdit ? (
            <EditableText
              size="md"
              value={name}
              label="Dashboard name"
              placeholder="Untitled dashboard"
              onSave={(value) => editor.edit('Renamed the dashboard', { fields: { name: value } })}
            />
          ) : (
            name || 'Untitled dashboard'
          )}
        </Title>
        {canEdit && <Pin isPinned={dashboard.pinned} />}
      </Group>
      <Text
        c="dimmed"
        mt={2}
        component="div"
        {...(description === '' && { className: 'no-print' })}
      >
        {canEdit ? (
          <EditableText
            value={description}
            label="Dashboard description"
            placeholder="Add a description"
            maxLength={2000}
            onSave={(value) =>
              editor.edit('Changed the description', { fields: { description: value } })
            }
          />
        ) : (
          description
        )}
      </Text>
      <Tags tags={dashboard.tags} />
    </Box>
  )
}

function Pin({ isPinned }: { readonly isPinned: boolean }) {
  const { editor } = useDashboardContext()
  const label = isPinned ? 'Unpin' : 'Pin to top'
  return (
    <Tooltip label={label}>
      <ActionIcon
        className="no-print"
        variant="subtle"
        color={isPinned ? 'hedge' : 'gray'}
        size="sm"
        aria-label={label}
        aria-pressed={isPinned}
        onClick={() =>
          editor.edit(isPinned ? 'Unpinned' : 'Pinned', { fields: { pinned: !isPinned } })
        }
      >
        {isPinned ? <IconPinFilled size={16} /> : <IconPin size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}
