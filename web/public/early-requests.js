// Requests what every page of a project shows, and a dashboard, while the app loads; api/early-responses.ts takes the
// responses. A file, since the page allows no inline script.
{
  const { pathname, search } = location
  const [project] = /^\/project\/\d+\//.exec(pathname) ?? []
  const [, id, dashboard] = /^\/project\/(\d+)\/dashboards\/(\d+)$/.exec(pathname) ?? []
  const path = `/api/environments/${id}/dashboards/${dashboard}`
  const paths = [
    ...(project ? ['/api/users/@me', '/api/projects?limit=1000'] : []),
    // with filters in the URL, the app requests other results
    ...(dashboard && search === '' ? [path, `${path}/activity?limit=1`] : []),
    ...(dashboard ? [`/api/projects/${id}/annotations?limit=1000`] : []),
  ]
  const request = (path) => {
    const response = fetch(path, { headers: { accept: 'application/json' } })
    response.catch(() => undefined) // the app reports it
    return [path, response]
  }
  window.earlyResponses = new Map(paths.map(request))
}
