/**
 * The CDK app: `cdk synth|deploy -c stage=<stage> [-c config=<settings file>] [-c operatorEmail=<address>]`, or without the CDK CLI
 * `CDK_OUTDIR=<folder> node bin/app.ts`. It makes no look-ups, in AWS or elsewhere.
 */
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleFunctions } from '../infra/bundling.ts';
import { requireOperatorEmail } from '../infra/constructs/operator-topic.ts';
import { apiFunctions } from '../infra/functions/api.ts';
import { startModule } from '../infra/functions/definition.ts';
import { workerFunctions } from '../infra/functions/workers.ts';
import { appContext, createService } from '../infra/service.ts';
import { buildSite } from '../infra/site.ts';
import { findStage } from '../infra/stages.ts';
import { readSettings, withOperator } from './settings-file.ts';

const root = join(import.meta.dirname, '..');

try {
  const app = new App({
    analyticsReporting: false,
    outdir: process.env['CDK_OUTDIR'] ?? join(root, 'cdk.out'),
    postCliContext: appContext,
  });
  const own = readSettings(app.node.tryGetContext('config'));
  const stage = withOperator(
    findStage(app.node.tryGetContext('stage') ?? 'dev', own),
    app.node.tryGetContext('operatorEmail'),
  );
  // Before the bundles, which take longer.
  if (stage.hasAlarms) requireOperatorEmail(stage);
  const bundles = await bundleFunctions([...apiFunctions, ...workerFunctions], {
    root,
    outputDirectory: join(root, '.build'),
    startModule,
  });
  const site = await buildSite({
    sources: join(root, 'lib/panel'),
    outputDirectory: join(root, '.build/site'),
  });
  createService(app, { stage, bundles, site: site.directory });
  app.synth();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
