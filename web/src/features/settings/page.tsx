import { Stack } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useIsViewer, useProjectId } from '../../api/project.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { sectionsFor } from './sections.ts'
import classes from './settings.module.css'

const TO = '/project/$projectId/settings/$section'

export function SettingsPage() {
  const { section } = useParams({ from: '/project/$projectId/settings/$section' })
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const sections = sectionsFor(isAdmin(useMe()), useIsViewer())
  const current = sections.find((each) => each.key === section) ?? sections[0]
  if (!current) return null
  const { key, label: name, component: Section } = current
  return (
    <Page title="Settings" documentTitle={`${name} · Settings`} width="wide">
      <Choice
        hiddenFrom="sm"
        mb="md"
        aria-label="Settings section"
        data={sections.map(({ key: value, label }) => ({ value, label }))}
        value={key}
        onChange={(chosen) => void navigate({ to: TO, params: { projectId, section: chosen } })}
      />
      <div className={classes.columns}>
        <Stack
          component="nav"
          aria-label="Settings"
          gap={2}
          visibleFrom="sm"
          className={classes.nav}
        >
          {sections.map(({ key: each, label, icon: Icon }) => (
            <Link
              key={each}
              to={TO}
              params={{ projectId, section: each }}
              className={classes.link}
              data-active={each === key || undefined}
              aria-current={each === key ? 'page' : undefined}
            >
              <Icon size={16} stroke={1.6} aria-hidden />
              {label}
            </Link>
          ))}
        </Stack>
        <div className={classes.content}>
          <Section />
        </div>
      </div>
    </Page>
  )
}
