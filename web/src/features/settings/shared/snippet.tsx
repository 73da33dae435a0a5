import { Stack } from '@mantine/core'
import { CopyText } from '../../../ui/copy-button.tsx'
import classes from '../settings.module.css'

export function Snippet({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <Stack gap="xs">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section className={classes.code} tabIndex={0} aria-label={label}>
        {code}
      </section>
      <div>
        <CopyText value={code} label="Copy" />
      </div>
    </Stack>
  )
}
