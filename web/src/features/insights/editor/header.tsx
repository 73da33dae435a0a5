import { ActionIcon, Box, Button, Group, TextInput, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Insight } from './api.ts'
import classes from './editor.module.css'

interface HeaderProps {
  readonly insight: Insight | undefined
  readonly name: string
  /** Shown while the insight has no name. */
  readonly fallback: string
  readonly nameError: string | undefined
  readonly isChanged: boolean
  readonly cannotSave: string | undefined
  readonly isSaving: boolean
  readonly onName: (name: string) => void
  readonly onFavorite: () => void
  readonly onDiscard: () => void
  readonly onSave: () => void
  readonly menu: ReactNode
}

export function Header({ insight, name, fallback, nameError, ...props }: HeaderProps) {
  return (
    <Group gap="sm" align="flex-start" justify="space-between">
      <VisuallyHidden component="h1">{name || fallback}</VisuallyHidden>
      <Box flex={1} miw={220}>
        <TextInput
          className={classes.name ?? ''}
          aria-label="Name"
          placeholder={fallback}
          maxLength={400}
          value={name}
          error={nameError}
          onChange={({ currentTarget }) => props.onName(currentTarget.value)}
        />
      </Box>
      <Group gap="xs" wrap="nowrap">
        {insight && (
          <Tooltip label={insight.favorited ? 'Remove from favorites' : 'Add to favorites'}>
            <ActionIcon
              variant="default"
              size={36}
              aria-label="Favorite"
              aria-pressed={insight.favorited}
              onClick={props.onFavorite}
            >
              {insight.favorited ? <IconStarFilled size={18} /> : <IconStar size={18} />}
            </ActionIcon>
          </Tooltip>
        )}
        {props.menu}
        {props.isChanged && (
          <Button variant="default" onClick={props.onDiscard}>
            Discard
          </Button>
        )}
        <Tooltip label={props.cannotSave} disabled={!props.cannotSave}>
          <Button
            loading={props.isSaving}
            disabled={props.cannotSave !== undefined || (insight !== undefined && !props.isChanged)}
            onClick={props.onSave}
          >
            Save
          </Button>
        </Tooltip>
      </Group>
    </Group>
  )
}
