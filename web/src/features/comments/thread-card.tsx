import { Button, Group, Text } from '@mantine/core'
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useIsViewer } from '../../api/project.ts'
import { userName } from '../../ui/page/user-name.ts'
import { useCompleteThread, useCreateComment } from './api.ts'
import { CommentItem } from './comment-item.tsx'
import classes from './comments.module.css'
import { Composer } from './composer.tsx'
import type { Thread } from './threads.ts'

interface ThreadCardProps {
  readonly thread: Thread
  /** The name of its tile, and perhaps a day. */
  readonly about: string | undefined
  /** Whether the address names one of its comments. */
  readonly isNamed: boolean
}

/** A comment with its replies. */
export function ThreadCard({ thread: { first, replies }, about, isNamed }: ThreadCardProps) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNamed) card.current?.scrollIntoView({ block: 'center' })
  }, [isNamed])
  const { completed_at, completed_by } = first
  return (
    <section
      ref={card}
      className={classes.thread}
      data-named={isNamed || undefined}
      aria-label={`Thread: ${first.content.slice(0, 60)}`}
    >
      {about && (
        <Text size="xs" c="dimmed" className={classes.about}>
          {about}
        </Text>
      )}
      {[first, ...replies].map((comment) => (
        <CommentItem key={comment.id} comment={comment} />
      ))}
      {completed_at !== null && (
        <Text size="xs" c="dimmed">
          Resolved{completed_by && ` by ${userName(completed_by)}`}
        </Text>
      )}
      <ThreadActions first={first} />
    </section>
  )
}

function ThreadActions({ first }: Pick<Thread, 'first'>) {
  const [isReplying, setReplying] = useState(false)
  const reply = useCreateComment()
  const complete = useCompleteThread()
  const isOpen = first.completed_at === null
  const isViewer = useIsViewer()
  if (isReplying) {
    return (
      <Composer
        label="Reply"
        yes="Reply"
        isSaving={reply.isPending}
        error={reply.error?.message}
        hasFocus
        onSave={(written) =>
          reply.mutate(
            { ...written, source_comment: first.id },
            { onSuccess: () => setReplying(false) },
          )
        }
        onCancel={() => setReplying(false)}
      />
    )
  }
  return (
    <Group gap="xs">
      {isOpen && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconArrowBackUp size={14} />}
          onClick={() => setReplying(true)}
        >
          Reply
        </Button>
      )}
      {!isViewer && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={isOpen && <IconCheck size={14} />}
          loading={complete.isPending}
          onClick={() => complete.mutate(first)}
        >
          {isOpen ? 'Resolve' : 'Reopen'}
        </Button>
      )}
    </Group>
  )
}
