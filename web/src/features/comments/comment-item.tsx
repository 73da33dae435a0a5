import { ActionIcon, Group, Menu, Text } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Comment } from '#server/features/dashboards/comments/schema.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import { showUndo } from '../../ui/list/undo.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { UserAvatar } from '../../ui/page/user-avatar.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { useMentionables, usePatchComment } from './api.ts'
import classes from './comments.module.css'
import { Composer } from './composer.tsx'
import { splitMentions } from './mention-text.ts'

/** One comment with its author, and the menu of those who can change it. */
export function CommentItem({ comment }: { readonly comment: Comment }) {
  const [isEditing, setEditing] = useState(false)
  const patch = usePatchComment()
  const { id, created_by, created_at, version, content } = comment
  const name = created_by ? userName(created_by) : 'Removed user'
  return (
    <article className={classes.comment} aria-label={`Comment by ${name}`}>
      <UserAvatar name={name} size={28} />
      <div className={classes.words}>
        <Group gap={6} wrap="nowrap" justify="space-between" align="flex-start">
          <Text size="sm">
            <span className={classes.author}>{name}</span>{' '}
            <Text component="span" size="xs" c="dimmed">
              <TimeAgo time={created_at} />
              {version > 0 && ' · edited'}
            </Text>
          </Text>
          <CommentMenu comment={comment} onEdit={() => setEditing(true)} />
        </Group>
        {isEditing ? (
          <Composer
            label="Edit comment"
            yes="Save"
            initial={content}
            isSaving={patch.isPending}
            hasFocus
            onSave={(written) =>
              patch.mutate({ id, ...written }, { onSuccess: () => setEditing(false) })
            }
            onCancel={() => setEditing(false)}
          />
        ) : (
          <Content text={content} />
        )}
      </div>
    </article>
  )
}

function Content({ text }: { readonly text: string }) {
  const people = useMentionables()
  return (
    <p className={classes.content}>
      {splitMentions(text, people).map(({ text: part, id }, index) =>
        id === undefined ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text is immutable
          <span key={index} className={classes.mention}>
            {part}
          </span>
        ),
      )}
    </p>
  )
}

interface CommentMenuProps {
  readonly comment: Comment
  readonly onEdit: () => void
}

function CommentMenu({ comment: { id, created_by }, onEdit }: CommentMenuProps) {
  const me = useMe()
  const patch = usePatchComment()
  const isOwn = created_by?.id === me.id
  if (!isOwn && !isAdmin(me)) return null
  const remove = () =>
    patch.mutate(
      { id, deleted: true },
      // only its author can restore a comment
      isOwn
        ? {
            onSuccess: () =>
              showUndo('Comment deleted', () => patch.mutate({ id, deleted: false })),
          }
        : undefined,
    )
  return (
    <Menu width={140} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Actions for comment">
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isOwn && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            Edit
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
