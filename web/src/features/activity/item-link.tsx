import { Link } from '@tanstack/react-router'
import type { Item } from '#server/features/activity/schema.ts'
import { useProjectId } from '../../api/project.ts'

interface ItemLinkProps {
  readonly item: Item
  readonly name: string
  readonly className?: string | undefined
}

/** Links to the page of an entry's item. */
export function ItemLink({ item: { kind, id }, name, className }: ItemLinkProps) {
  const projectId = `${useProjectId()}`
  const shown = { className, children: name }
  if (kind === 'dashboard') {
    const params = { projectId, dashboardId: id }
    return <Link to="/project/$projectId/dashboards/$dashboardId" params={params} {...shown} />
  }
  if (kind === 'insight') {
    const params = { projectId, shortId: id }
    return <Link to="/project/$projectId/insights/$shortId" params={params} {...shown} />
  }
  if (kind === 'import_app') {
    const params = { projectId, configId: id }
    return <Link to="/project/$projectId/apps/$configId" params={params} {...shown} />
  }
  if (kind === 'app') {
    return <Link to="/project/$projectId/apps/gallery" params={{ projectId }} {...shown} />
  }
  if (kind === 'person') {
    const params = { projectId, personId: id }
    return <Link to="/project/$projectId/persons/$personId" params={params} {...shown} />
  }
  if (kind === 'cohort') {
    const params = { projectId, cohortId: id }
    return <Link to="/project/$projectId/cohorts/$cohortId" params={params} {...shown} />
  }
  if (kind === 'action') {
    const params = { projectId, actionId: id }
    return <Link to="/project/$projectId/actions/$actionId" params={params} {...shown} />
  }
  const params = { projectId, section: 'project' }
  return <Link to="/project/$projectId/settings/$section" params={params} {...shown} />
}
