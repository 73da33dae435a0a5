import { Badge, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { RowButton } from '../../../ui/list/row-button.tsx'
import { LazyMenu } from '../../../ui/page/lazy-menu.tsx'
import { type Mapping, ROLES, type Role, toRoles } from './mapping.ts'

interface ValueMenuProps {
  readonly value: unknown
  readonly path: string
  readonly mapping: Mapping
  readonly isDisabled: boolean
  readonly onUse: (role: Role, path: string) => void
}

/** Shows what a value becomes, and a menu to choose it. */
export function ValueMenu({ value, path, mapping, isDisabled, onUse }: ValueMenuProps) {
  const possible = toRoles(value, path)
  if (possible.length === 0) return null
  return (
    <>
      {ROLES.filter(({ role }) => mapping[role].includes(path)).map(({ role, name }) => (
        <Badge key={role} size="sm">
          {role === 'properties' ? 'Property' : name}
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
          ROLES.filter(({ role }) => possible.includes(role)).map(({ role, action }) => (
            <Menu.Item
              key={role}
              disabled={mapping[role].includes(path)}
              onClick={() => onUse(role, path)}
            >
              {action}
            </Menu.Item>
          ))
        }
      </LazyMenu>
    </>
  )
}
