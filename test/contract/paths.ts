/** Absolute paths in project 1, for requests that are written byte by byte and for links in responses. */
export const CONFIGS = '/api/projects/1/pipeline_import_apps_configs'
export const DASHBOARDS = '/api/environments/1/dashboards'
