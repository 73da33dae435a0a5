import { Paper, type PaperProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card.module.css'

/** A surface with a hairline border. */
export function Card({ children, ...props }: PaperProps & { readonly children: ReactNode }) {
  return (
    <Paper className={classes.card} radius="lg" p="md" {...props}>
      {children}
    </Paper>
  )
}
