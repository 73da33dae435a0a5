import { Button, Drawer, Text } from '@mantine/core'
import { IconAt } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Mention } from '#server/features/dashboards/comments/schema.ts'
import { EmptyState, QueryContent } from '../../ui/page/states.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { useMentions, useReadMentions } from './api.ts'
import classes from './comments.module.css'

/** Lists the comments that mention the user. A click leads to the comment. */
export function MentionsDrawer({ onClose }: { readonly onClose: () => void }) {
  const read = useReadMentions()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title="Mentions"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <QueryContent query={useMentions()}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState icon={IconAt} title="No mentions yet">
              Comments that mention you appear here.
            </EmptyState>
          ) : (
            <>
              {results.some(({ read_at }) => read_at === null) && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  loading={read.isPending}
                  onClick={() => read.mutate(undefined)}
                >
                  Mark all as read
                </Button>
              )}
              {results.map((mention) => (
                <MentionRow
                  key={mention.id}
                  mention={mention}
                  onOpen={() => {
                    if (mention.read_at === null) read.mutate([mention.id])
                    onClose()
                  }}
                />
              ))}
            </>
          )
        }
      </QueryContent>
    </Drawer>
  )
}

interface MentionRowProps {
  readonly mention: Mention
  readonly onOpen: () => void
}

function MentionRow({ mention, onOpen }: MentionRowProps) {
  const { comment, dashboard, project, created_at, read_at } = mention
  const author = comment.created_by ? userName(comment.created_by) : 'Removed user'
  return (
    <Link
      to="/project/$projectId/dashboards/$dashboardId"
      params={{ projectId: `${project.id}`, dashboardId: `${dashboard.id}` }}
      search={{ comments: comment.id }}
      className={classes.row}
      onClick={onOpen}
    >
      <Text size="sm" className={read_at === null ? (classes.unread ?? '') : ''}>
        {author} on {dashboard.name || 'Untitled dashboard'}
        {read_at === null && <span className={classes.new}>New</span>}
      </Text>
      <Text size="sm" lineClamp={3}>
        {comment.content}
      </Text>
      <Text size="xs" c="dimmed">
        <TimeAgo time={created_at} />
      </Text>
    </Link>
  )
}
