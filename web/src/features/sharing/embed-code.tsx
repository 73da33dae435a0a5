import { Checkbox, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { withQuery } from '../../api/client.ts'
import { CopyText } from '../../ui/page/copy-button.tsx'
import classes from './sharing.module.css'

type Theme = 'auto' | 'light' | 'dark'

const THEMES = [
  { value: 'auto', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

interface EmbedCodeProps {
  readonly token: string
  readonly title: string
}

/** HTML that embeds the dashboard in another page. */
export function EmbedCode({ token, title }: EmbedCodeProps) {
  const [theme, setTheme] = useState<Theme>('auto')
  const [hasHeader, setHeader] = useState(true)
  const address = withQuery(`${location.origin}/embedded/${token}`, {
    theme: theme === 'auto' ? undefined : theme,
    noHeader: hasHeader ? undefined : 1,
  })
  const code = `<iframe src="${escapeAttribute(address)}" title="${escapeAttribute(title)}" width="100%" height="600" frameborder="0" loading="lazy" allowfullscreen></iframe>`
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Paste into the HTML of any page.
      </Text>
      <Group gap="md">
        <SegmentedControl
          size="xs"
          data={THEMES}
          value={theme}
          onChange={(value) => setTheme(value as Theme)}
          aria-label="Theme"
        />
        <Checkbox
          label="Show header"
          checked={hasHeader}
          onChange={({ currentTarget }) => setHeader(currentTarget.checked)}
        />
      </Group>
      <Textarea
        readOnly
        autosize
        value={code}
        aria-label="Embed code"
        classNames={{ input: classes.code }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group>
        <CopyText value={code} label="Copy code" />
      </Group>
    </Stack>
  )
}
