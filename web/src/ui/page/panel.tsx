import { ActionIcon, Box, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Card } from './card.tsx'
import classes from './panel.module.css'

interface PartProps {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly isDangerous?: boolean
  /** No padding, for rows that have their own. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

/** One titled card of a page. */
export function Panel({ title, about, actions, isDangerous, isFlush, children }: PartProps) {
  return (
    <Box component="section" aria-label={title}>
      <Group justify="space-between" align="flex-end" gap="sm" mb="xs">
        <Box flex={1} miw={220}>
          <Title order={2}>{title}</Title>
          {about && (
            <Text size="sm" c="dimmed" mt={2}>
              {about}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      <Card
        p={isFlush ? 0 : 'md'}
        {...(isDangerous && { styles: { root: { borderColor: 'var(--mantine-color-red-6)' } } })}
      >
        {children}
      </Card>
    </Box>
  )
}

export const PanelStack = ({ children }: { readonly children: ReactNode }) => (
  <Stack gap="xl">{children}</Stack>
)

export const PanelRows = ({ children }: { readonly children: ReactNode }) => (
  <ul className={classes.rows}>{children}</ul>
)

interface RowProps {
  readonly title: ReactNode
  readonly about?: ReactNode
  readonly icon?: ReactNode
  /** Actions; below the title on a phone. */
  readonly children?: ReactNode
  readonly below?: ReactNode
}

export function PanelRow({ title, about, icon, children, below }: RowProps) {
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <Group gap="sm" wrap="nowrap" flex={1} miw={200}>
          {icon}
          <Box miw={0}>
            <Text component="div" fw={500} truncate>
              {title}
            </Text>
            {about && (
              <Text component="div" size="xs" c="dimmed" className={classes.about}>
                {about}
              </Text>
            )}
          </Box>
        </Group>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
      {below}
    </li>
  )
}

interface PanelActionsProps {
  /** The name of the row's thing. */
  readonly of: string
  /** Menu items. */
  readonly children: ReactNode
}

/** The menu of a row of a panel. */
export const PanelActions = ({ of, children }: PanelActionsProps) => (
  <Menu>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size={34} aria-label={`Actions for ${of}`}>
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
