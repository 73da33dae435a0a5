import { Badge, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { RowButton } from '../../../ui/list/row-button.tsx'
import { LazyMenu } from '../../../ui/page/lazy-menu.tsx'

/** Something that a value can become. */
export interface ValueUse {
  readonly name: string
  readonly action: string
  readonly isUsed: boolean
  readonly onUse: () => void
}

interface ValueMenuProps {
  /** Names the value. */
  readonly path: string
  readonly uses: readonly ValueUse[]
  readonly isDisabled?: boolean
}

/** Shows what a value becomes, and a menu to choose it. */
export function ValueMenu({ path, uses, isDisabled = false }: ValueMenuProps) {
  if (uses.length === 0) return null
  return (
    <>
      {uses
        .filter(({ isUsed }) => isUsed)
        .map(({ name }) => (
          <Badge key={name} size="sm" flex="none">
            {name}
          </Badge>
        ))}
      <LazyMenu
        width={180}
        button={
          <RowButton aria-label={`Use ${path}`} disabled={isDisabled}>
            <IconDots size={14} />
          </RowButton>
        }
      >
        {() =>
          uses.map(({ action, isUsed, onUse }) => (
            <Menu.Item key={action} disabled={isUsed} onClick={onUse}>
              {action}
            </Menu.Item>
          ))
        }
      </LazyMenu>
    </>
  )
}
