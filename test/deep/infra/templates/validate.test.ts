import { afterAll } from 'vitest';
import { findStage } from '../../../../infra/stages.ts';
import { type Synthesized, synthesize } from '../../../infra/support/synthesize.ts';
import { describeTemplates } from '../../../infra/support/valid-templates.ts';

let dev: Synthesized | undefined;
afterAll(() => dev?.remove());

describeTemplates('dev', 'dev', () => {
  dev = synthesize({ stage: findStage('dev') });
  return dev.directory;
});
