import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ComponentProps } from 'react'
import classes from './workspace.module.css'

interface ToolButtonProps extends ButtonProps, Pick<ComponentProps<'button'>, 'onClick'> {
  readonly tooltip: string
}

/** A button beside *Run*, which shows only its icon where there is little space. */
export const ToolButton = ({ tooltip, ...props }: ToolButtonProps) => (
  <Tooltip label={tooltip} openDelay={400}>
    <Button
      size="xs"
      variant="default"
      classNames={{ label: classes.toolLabel, section: classes.toolIcon }}
      {...props}
    />
  </Tooltip>
)
