import { Box } from '@mantine/core'
import classes from './shell.module.css'

export function Logo() {
  return (
    <a href="/" className={classes.logo} aria-label="Hedgerow home">
      <img src="/favicon.svg" width={24} height={24} alt="" />
      <Box component="span" visibleFrom="md">
        Hedgerow
      </Box>
    </a>
  )
}
