import { Group, Pill, Text } from '@mantine/core'
import classes from './requests.module.css'

/** A part of a mapping and the values that it is made of. */
export interface MappingRow {
  readonly name: string
  readonly paths: readonly string[]
  /** Says what happens without a path. */
  readonly unset: string
  readonly onRemove: (path: string) => void
}

interface MappingPillsProps {
  readonly rows: readonly MappingRow[]
  readonly isDisabled?: boolean
}

/** The values that become the event, the person, the time and so on. */
export const MappingPills = ({ rows, isDisabled = false }: MappingPillsProps) => (
  <dl className={classes.mapping} aria-label="Mapping">
    {rows.map(({ name, paths, unset, onRemove }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Group gap={4}>
            {paths.map((path) => (
              <Pill
                key={path}
                withRemoveButton
                onRemove={() => onRemove(path)}
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
            {paths.length === 0 && (
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
