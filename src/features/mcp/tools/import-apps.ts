import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

/** Texts of the wire that repeat the app and its settings. */
const REPEATED = ['plugin_info']

export const IMPORT_APP_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'import-apps-list',
    title: 'List import apps',
    description:
      'Lists the installed import apps with their settings (`config_schema`) and jobs (`public_jobs`).',
    operation: 'listPlugins',
    inputs: PAGE,
    omit: ['icon', 'organization_id', 'organization_name', 'metrics'].map(
      (field) => `results.*.${field}`,
    ),
  },
  {
    name: 'import-configs-list',
    title: 'List configs of import apps',
    description: 'Lists the uses of import apps in the project, with state and last error.',
    operation: 'listPipelineConfigs',
    inputs: PAGE,
    omit: REPEATED.map((field) => `results.*.${field}`),
  },
  {
    name: 'import-config-get',
    title: 'Get config of an import app',
    description: 'Returns a config with its state and last error. Secrets are masked.',
    operation: 'getPipelineConfig',
    omit: REPEATED,
  },
  {
    name: 'import-config-create',
    title: 'Create config of an import app',
    description: 'Adds an import app (`plugin`, from import-apps-list) to the project.',
    operation: 'createPipelineConfig',
    inputs: ['plugin', 'name', 'description', 'config', 'enabled'],
    omit: REPEATED,
  },
  {
    name: 'import-config-update',
    title: 'Update config of an import app',
    description:
      'Changes the fields that are given. import-settings-update changes single settings.',
    operation: 'updatePipelineConfig',
    inputs: ['name', 'description', 'config', 'enabled'],
    omit: REPEATED,
  },
  {
    name: 'import-config-delete',
    title: 'Delete config of an import app',
    description: 'Moves a config to the trash and disables it.',
    operation: 'updatePipelineConfig',
    fixed: { deleted: true },
    isDestructive: true,
    omit: REPEATED,
  },
  {
    name: 'import-settings-get',
    title: 'Get settings of a config',
    description: 'Returns the settings of a config and what each means. Secrets are masked.',
    operation: 'getPipelineConfigSettings',
  },
  {
    name: 'import-settings-update',
    title: 'Update settings of a config',
    description: 'Changes the settings that are given. A masked secret stays as it is.',
    operation: 'updatePipelineConfigSettings',
    inputs: ['settings'],
  },
  {
    name: 'import-job-run',
    title: 'Run a job',
    description:
      'Queues a run of a job and returns the run; import-run-get shows its progress. `dry_run` stores nothing, and import-run-preview shows its events.',
    operation: 'triggerPipelineConfigJob',
    inputs: ['job', 'dry_run'],
  },
  {
    name: 'import-runs-list',
    title: 'List runs',
    description: 'Lists the runs of a config, newest first.',
    operation: 'listPipelineConfigRuns',
    inputs: ['dry_run', ...PAGE],
  },
  {
    name: 'import-run-get',
    title: 'Get run',
    description: 'Returns a run with its state, progress and message.',
    operation: 'getPipelineConfigRun',
  },
  {
    name: 'import-run-preview',
    title: 'Preview a test run',
    description: 'Returns the first events of a test run and the first rows that a run skipped.',
    operation: 'getPipelineConfigRunPreview',
  },
  {
    name: 'import-run-cancel',
    title: 'Cancel run',
    description: 'Cancels a run that is queued or active.',
    operation: 'cancelPipelineConfigRun',
    isDestructive: true,
  },
  {
    name: 'import-run-retry',
    title: 'Retry run',
    description: 'Queues a new run of the same job with the same payload.',
    operation: 'retryPipelineConfigRun',
  },
  {
    name: 'import-logs-list',
    title: 'List log lines',
    description: 'Lists the log lines of a config, newest first.',
    operation: 'listPipelineConfigLogs',
    inputs: ['run', 'type_filter', 'search', 'after', 'before', ...PAGE],
  },
  {
    name: 'import-health-list',
    title: 'List health of imports',
    description:
      'Lists the imports of the project with their state: healthy, failing, stale, paused or never_ran.',
    operation: 'listImportHealth',
    inputs: PAGE,
  },
  {
    name: 'import-schedule-get',
    title: 'Get schedule of a config',
    description:
      'Returns when an import runs, when it is late, and how often a failed run repeats.',
    operation: 'getPipelineConfigSchedule',
  },
  {
    name: 'import-schedule-update',
    title: 'Update schedule of a config',
    description: 'Changes the fields that are given.',
    operation: 'updatePipelineConfigSchedule',
    inputs: ['schedule', 'expected_every', 'retry'],
  },
  {
    name: 'import-backfills-list',
    title: 'List backfills',
    description: 'Lists the imports of the past of a config, newest first, with their progress.',
    operation: 'listPipelineConfigBackfills',
    inputs: PAGE,
  },
  {
    name: 'import-backfill-create',
    title: 'Import the past',
    description:
      'Imports the time between two moments in windows, beside the scheduled runs. Only apps with `runBackfill` can.',
    operation: 'createPipelineConfigBackfill',
    inputs: ['from', 'to', 'streams', 'chunk'],
  },
  {
    name: 'import-backfill-pause',
    title: 'Pause backfill',
    description: 'Lets the active window finish, and starts no other.',
    operation: 'pausePipelineConfigBackfill',
  },
  {
    name: 'import-backfill-resume',
    title: 'Resume backfill',
    description: 'Continues a backfill that is paused or has failed.',
    operation: 'resumePipelineConfigBackfill',
  },
  {
    name: 'import-backfill-cancel',
    title: 'Cancel backfill',
    description: 'Stops the active window. Events that were imported stay.',
    operation: 'cancelPipelineConfigBackfill',
    isDestructive: true,
  },
  {
    name: 'import-requests-list',
    title: 'List received requests',
    description: 'Lists the requests that other services sent to a config, newest first.',
    operation: 'listWebhookRequests',
    inputs: ['state', ...PAGE],
  },
  {
    name: 'import-request-replay',
    title: 'Replay received request',
    description: 'Handles a received request again. Its events are not stored twice.',
    operation: 'replayWebhookRequest',
  },
]
