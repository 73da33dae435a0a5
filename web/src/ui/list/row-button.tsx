import type { ComponentProps } from 'react'
import classes from './list.module.css'

interface RowButtonProps extends ComponentProps<'button'> {
  readonly 'aria-label': string
}

/** An icon button without Mantine's loader and styles: rendering hundreds of those would stop the scrolling. */
export const RowButton = (props: RowButtonProps) => (
  <button type="button" {...props} className={classes.button} />
)
