import { Group, Pill, Text } from '@mantine/core'
import { type Mapping, ROLES, type Role } from './mapping.ts'
import classes from './requests.module.css'

interface MappingPillsProps {
  readonly mapping: Mapping
  readonly isDisabled: boolean
  readonly onRemove: (role: Role, path: string) => void
}

/** The values that become the event, the person, the time and the properties. */
export const MappingPills = ({ mapping, isDisabled, onRemove }: MappingPillsProps) => (
  <dl className={classes.mapping} aria-label="Mapping">
    {ROLES.map(({ role, name, unset }) => (
      <div key={role}>
        <dt>{name}</dt>
        <dd>
          <Group gap={4}>
            {mapping[role].map((path) => (
              <Pill
                key={path}
                withRemoveButton
                onRemove={() => onRemove(role, path)}
                removeButtonProps={{
                  'aria-label': `Remove ${name.toLowerCase()}: ${path}`,
                  'aria-hidden': false,
                  tabIndex: 0,
                  disabled: isDisabled,
                }}
              >
                {path}
              </Pill>
            ))}
            {mapping[role].length === 0 && (
              <Text size="sm" c="dimmed">
                {unset}
              </Text>
            )}
          </Group>
        </dd>
      </div>
    ))}
  </dl>
)
