import { Box, Text } from '@mantine/core'
import classes from './code-block.module.css'
import { CopyText } from './copy-button.tsx'

interface CodeBlockProps {
  readonly code: string
  /** Says what the code does. */
  readonly label: string
}

/** Code with a title and a button that copies it. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <Box className={classes.block}>
      <div className={classes.head}>
        <Text size="xs" c="dimmed" fw={500}>
          {label}
        </Text>
        <CopyText value={code} label="Copy" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section className={classes.code} tabIndex={0} aria-label={label}>
        {code}
      </section>
    </Box>
  )
}
