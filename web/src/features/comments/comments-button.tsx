import { ActionIcon, Indicator, Tooltip } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { useOpenComments } from './api.ts'

interface CommentsButtonProps {
  readonly dashboardId: number
  readonly onOpen: () => void
}

/** Opens the comments on a dashboard, and says how many are open. */
export function CommentsButton({ dashboardId, onOpen }: CommentsButtonProps) {
  const count = useOpenComments(dashboardId)
  const label = count === 0 ? 'Comments' : `Comments (${count} open)`
  return (
    <Tooltip label={label}>
      <Indicator label={count} size={15} disabled={count === 0} color="gray">
        <ActionIcon variant="default" size={30} aria-label={label} onClick={onOpen}>
          <IconMessage size={16} />
        </ActionIcon>
      </Indicator>
    </Tooltip>
  )
}
