import type { App } from 'aws-cdk-lib';
import { readStageFeatures } from '../lib/platforms/registry/features.ts';
import { readRetention } from '../lib/table/retention.ts';
import { ApiStack } from './api-stack.ts';
import { BackupStack } from './backup-stack.ts';
import type { BundleDirectory } from './bundling.ts';
import { tagResources } from './constructs/tags.ts';
import { DataStack } from './data-stack.ts';
import { featureFlags } from './feature-flags.ts';
import { apiFunctions } from './functions/api.ts';
import type { ApiFunction, WorkerFunction } from './functions/definition.ts';
import { workerFunctions } from './functions/workers.ts';
import { PanelStack } from './panel-stack.ts';
import { stackName } from './stack-names.ts';
import { environmentOf, type Stage } from './stages.ts';
import { WorkersStack } from './workers-stack.ts';

/** The CDK context that every app of the service must set. */
export const appContext = {
  // The CDK command line turns these two on. Setting them here gives the same templates without it, and lets programs that read
  // the templates find each function's name and bundle.
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
  ...featureFlags,
} as const;

export interface ServiceProps {
  readonly stage: Stage;
  readonly bundles: BundleDirectory;
  /** The folder of the panel's built site. */
  readonly site: string;
  readonly api?: readonly ApiFunction[];
  readonly workers?: readonly WorkerFunction[];
}

/**
 * Creates the stacks of one stage: data first, because the API and the workers depend on it. The stack that receives copies in
 * another Region comes first, because S3 and AWS Backup refuse a destination that does not exist.
 *
 * @throws Error that names an unknown feature of the stage, a retention time that is too short, or a setting that its alarms need
 */
export function createService(app: App, props: ServiceProps) {
  const {
    stage,
    bundles,
    site,
    api: apiDefinitions = apiFunctions,
    workers: workerDefinitions = workerFunctions,
  } = props;
  readStageFeatures(stage.features ?? {});
  readRetention(stage.retentionDays ?? {});
  const backup = stage.backupRegion
    ? new BackupStack(app, stackName(stage, 'backup'), {
        stage,
        env: { ...environmentOf(stage), region: stage.backupRegion },
      })
    : undefined;
  const data = new DataStack(app, stackName(stage, 'data'), { stage, workers: workerDefinitions });
  const shared = { stage, bundles, data: data.resources, alarms: data.alarms };
  const api = new ApiStack(app, stackName(stage, 'api'), { ...shared, functions: apiDefinitions });
  const workers = new WorkersStack(app, stackName(stage, 'workers'), {
    ...shared,
    functions: workerDefinitions,
    table: data.table,
    mediaArrivals: data.mediaArrivals,
    webhooks: data.webhooks,
    inbound: data.inbound,
    api: api.api,
  });
  const panel = new PanelStack(app, stackName(stage, 'panel'), {
    stage,
    site,
    data: data.resources,
    api: api.api,
  });
  for (const stack of [api, ...api.groups, workers, panel]) stack.addStackDependency(data);
  if (backup) data.addStackDependency(backup);
  for (const stack of [data, api, ...api.groups, workers, panel, ...(backup ? [backup] : [])])
    tagResources(stack, stage);
  return { data, api, workers, panel, ...(backup && { backup }) };
}
